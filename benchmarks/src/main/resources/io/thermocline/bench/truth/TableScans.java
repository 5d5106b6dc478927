// SPDX-License-Identifier: Apache-2.0

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;

/** One MapReduce job after another, each over all files of the directory that an argument names. */
public class TableScans {
  public static void main(String[] directories) throws Exception {
    Configuration conf = new Configuration();
    conf.setInt("mapreduce.local.map.tasks.maximum", 4);
    for (String directory : directories) {
      Job job = Job.getInstance(conf, directory);
      job.setMapperClass(Mapper.class);
      job.setNumReduceTasks(0);
      job.setOutputFormatClass(NullOutputFormat.class);
      FileInputFormat.setInputDirRecursive(job, true);
      FileInputFormat.addInputPath(job, new Path(directory));
      if (!job.waitForCompletion(false)) {
        throw new IllegalStateException(job.getStatus().getFailureInfo());
      }
    }
  }
}
