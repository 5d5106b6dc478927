// SPDX-License-Identifier: Apache-2.0

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.TextOutputFormat;

/** Reads files and says how: a file for that, the input, a directory for the output. */
public class ScanMapReduce {

  public static void main(String[] args) throws Exception {
    Job job = Job.getInstance(new Configuration(), "scan");
    job.setJarByClass(ScanMapReduce.class);
    job.setInputFormatClass(ScannedBlocks.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(Text.class);
    FileInputFormat.addInputPath(job, new Path(args[1]));
    TextOutputFormat.setOutputPath(job, new Path(args[2]));
    if (!job.waitForCompletion(false)) {
      throw new IllegalStateException(job.getStatus().getFailureInfo());
    }
    List<String> lines = new ArrayList<>();
    FileSystem files = FileSystem.get(job.getConfiguration());
    for (FileStatus file : files.listStatus(new Path(args[2]))) {
      try (BufferedReader in = new BufferedReader(new InputStreamReader(files.open(file.getPath())))) {
        in.lines().forEach(lines::add);
      }
    }
    Files.write(Paths.get(args[0]), lines);
  }
}
