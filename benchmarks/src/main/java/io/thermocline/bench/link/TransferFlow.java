// SPDX-License-Identifier: Apache-2.0
package io.thermocline.bench.link;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/** The four flows of the VNRE chapter's table 4.4, generated and scaled. */
enum TransferFlow {
  /** Dynamic HTML: pages with a shared frame, each in several versions. */
  HTTP {
    @Override
    List<byte[]> files(Random random, int bytes) {
      List<byte[]> files = new ArrayList<>();
      List<List<String>> pages = new ArrayList<>();
      String frame = html(random, 60);
      for (int left = bytes; left > 0; ) {
        if (pages.size() < 20 || random.nextInt(4) == 0) {
          List<String> page = new ArrayList<>();
          for (int i = 0; i < 400; i++) {
            page.add(html(random, 1));
          }
          pages.add(page);
        }
        List<String> page = pages.get(random.nextInt(pages.size()));
        for (int i = 0; i < 6; i++) {
          page.set(random.nextInt(page.size()), html(random, 1 + random.nextInt(2)));
        }
        byte[] file = (frame + String.join("", page) + frame).getBytes(StandardCharsets.US_ASCII);
        files.add(file);
        left -= file.length;
      }
      return files;
    }
  },
  /** Media: no redundancy. */
  RTSP {
    @Override
    List<byte[]> files(Random random, int bytes) {
      List<byte[]> files = new ArrayList<>();
      for (int left = bytes; left > 0; left -= 4_000_000) {
        byte[] file = new byte[4_000_000];
        random.nextBytes(file);
        System.arraycopy("RIFF1234AVI ".getBytes(StandardCharsets.US_ASCII), 0, file, 0, 12);
        files.add(file);
      }
      return files;
    }
  },
  /** Mail folders: text, and attachments that go to many. */
  SMTP {
    @Override
    List<byte[]> files(Random random, int bytes) {
      List<String> attachments = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        byte[] attachment = new byte[50_000 + random.nextInt(250_000)];
        random.nextBytes(attachment);
        attachments.add(Base64.getMimeEncoder().encodeToString(attachment));
      }
      List<byte[]> files = new ArrayList<>();
      for (int left = bytes; left > 0; ) {
        StringBuilder folder = new StringBuilder();
        while (folder.length() < 4_000_000) {
          folder.append("From ").append(random.nextLong()).append("@example.com\nSubject: ");
          folder.append(words(random, 400)).append("\n\n");
          if (random.nextInt(3) == 0) {
            // Some go to many more than others.
            int which = (int) (attachments.size() * Math.pow(random.nextDouble(), 2));
            folder.append(attachments.get(which)).append("\n\n");
          }
        }
        files.add(folder.toString().getBytes(StandardCharsets.US_ASCII));
        left -= folder.length();
      }
      return files;
    }
  },
  /** Images of an operating system: versions in which some blocks change in place. */
  FTP {
    @Override
    List<byte[]> files(Random random, int bytes) {
      byte[] image = new byte[Math.max(1 << 20, bytes / 6 / 4096 * 4096)];
      for (int at = 0; at < image.length; at += 65536) {
        int end = Math.min(image.length, at + 65536);
        switch (random.nextInt(3)) {
          case 0 -> Arrays.fill(image, at, end, (byte) 0);
          case 1 -> fill(random, image, at, end, 40);
          default -> fill(random, image, at, end, 256);
        }
      }
      image[510] = 0x55;
      image[511] = (byte) 0xaa;
      List<byte[]> files = new ArrayList<>();
      for (int left = bytes; left > 0; left -= image.length) {
        files.add(image.clone());
        for (int i = 0; i < image.length / 4096 / 20; i++) {
          int at = 4096 * (1 + random.nextInt(image.length / 4096 - 1));
          fill(random, image, at, at + 4096, 256);
        }
      }
      return files;
    }
  };

  /** Of about that many bytes in all. */
  abstract List<byte[]> files(Random random, int bytes);

  private static void fill(Random random, byte[] into, int from, int to, int values) {
    for (int i = from; i < to; i++) {
      into[i] = (byte) random.nextInt(values);
    }
  }

  private static String html(Random random, int lines) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines; i++) {
      text.append("<div class=\"c").append(random.nextInt(30)).append("\"><p>");
      text.append(words(random, 12)).append("</p></div>\n");
    }
    return text.toString();
  }

  private static String words(Random random, int count) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      long word = (long) Math.abs(random.nextGaussian() * 3000);
      text.append(Long.toString(word * 7919 + 11, 36)).append(' ');
    }
    return text.toString();
  }
}
