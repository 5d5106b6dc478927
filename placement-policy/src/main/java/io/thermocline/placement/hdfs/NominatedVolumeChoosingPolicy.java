// SPDX-License-Identifier: Apache-2.0
package io.thermocline.placement.hdfs;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.ReflectionUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a replica on the very volume that the NameNode or a mover nominated: the class to name in {@code
 * dfs.datanode.fsdataset.volume.choosing.policy} of the DataNodes. Safe for any thread.
 *
 * <p>The storage id travels with each write, but the stock policies ignore it and take any volume of
 * the storage type. Where none is nominated, or it has no space for the replica, the stock policy named
 * in {@link #FALLBACK_KEY} chooses, Hadoop's default one by default.
 *
 * @param <V> kind of volume
 */
public class NominatedVolumeChoosingPolicy<V extends FsVolumeSpi>
    implements VolumeChoosingPolicy<V>, Configurable {
  /** Class of the volume choosing policy for replicas without a usable nomination. */
  public static final String FALLBACK_KEY = "thermocline.datanode.fallback-volume-choosing-policy";

  private static final Logger LOG = LoggerFactory.getLogger(NominatedVolumeChoosingPolicy.class);

  private Configuration conf;
  private VolumeChoosingPolicy<V> fallback;

  @Override
  public void setConf(Configuration given) {
    conf = given;
    fallback = fallback(given);
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public V chooseVolume(List<V> volumes, long replicaSize, String storageId) throws IOException {
    if (storageId != null && !storageId.isEmpty()) {
      for (V volume : volumes) {
        if (storageId.equals(volume.getStorageID())) {
          if (volume.getAvailable() > replicaSize) {
            return volume;
          }
          break;
        }
      }
    }
    return fallback.chooseVolume(volumes, replicaSize, storageId);
  }

  /** A wrong setting must not keep a DataNode from starting. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private VolumeChoosingPolicy<V> fallback(Configuration given) {
    Class<? extends VolumeChoosingPolicy> stock = RoundRobinVolumeChoosingPolicy.class;
    try {
      Class<? extends VolumeChoosingPolicy> named =
          given.getClass(FALLBACK_KEY, stock, VolumeChoosingPolicy.class);
      if (named != getClass()) {
        return ReflectionUtils.newInstance(named, given);
      }
      LOG.error("{} names this policy itself; using {}", FALLBACK_KEY, stock.getName());
    } catch (RuntimeException e) {
      LOG.error("{} can't be used; using {}", FALLBACK_KEY, stock.getName(), e);
    }
    return ReflectionUtils.newInstance(stock, given);
  }
}
