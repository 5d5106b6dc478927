// SPDX-License-Identifier: Apache-2.0

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.map.TokenCounterMapper;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;

/** Counts words, with either way of committing output. Knows nothing of hints. */
public class MapReduceJob {

  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    Path input = new Path(args[0], "input");
    try (OutputStream out = FileSystem.get(conf).create(new Path(input, "words"))) {
      out.write("warm cold warm\nhot warm\n".getBytes(StandardCharsets.UTF_8));
    }
    for (String algorithm : new String[] {"1", "2"}) {
      conf.set("mapreduce.fileoutputcommitter.algorithm.version", algorithm);
      Job job = Job.getInstance(conf, "words-" + algorithm);
      job.setMapperClass(TokenCounterMapper.class);
      job.setReducerClass(IntSumReducer.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(IntWritable.class);
      FileInputFormat.addInputPath(job, input);
      FileOutputFormat.setOutputPath(job, new Path(args[0], "out-" + algorithm));
      if (!job.waitForCompletion(false)) {
        throw new IllegalStateException(job.getStatus().getFailureInfo());
      }
    }
    FileContext context = FileContext.getFileContext(conf);
    Path part = new Path(args[0], "context/_temporary/part");
    try (OutputStream out =
        context.create(part, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
      out.write('x');
    }
    context.rename(part, new Path(args[0], "context/part"));
    FileSystem.closeAll();
  }
}
