// SPDX-License-Identifier: Apache-2.0
package io.thermocline.hints.fs;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DelegateToFileSystem;

/** {@link HintingFileSystem} for {@code FileContext}: by {@code fs.AbstractFileSystem.<scheme>.impl}. */
public final class HintingFs extends DelegateToFileSystem {

  /** As {@code AbstractFileSystem} calls it. */
  public HintingFs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, new HintingFileSystem(), conf, uri.getScheme(), false);
  }
}
