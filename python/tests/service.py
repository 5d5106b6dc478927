# SPDX-License-Identifier: Apache-2.0
"""A service that answers what it is told to, over HTTP."""

import http.server
import threading


class Service:
    """answers: (method, path with query) to (status, text); requests: what was asked."""

    def __init__(self):
        service = self
        self.answers = {}
        self.requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def _serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                service.requests.append((self.command, self.path, body, dict(self.headers)))
                status, text = service.answers.get((self.command, self.path), (404, "<html>"))
                self.send_response(status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            do_GET = do_POST = do_DELETE = _serve

            def log_message(self, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()
