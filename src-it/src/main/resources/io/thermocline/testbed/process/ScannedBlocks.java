// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** One record a split: how it was read. */
public class ScannedBlocks extends FileInputFormat<NullWritable, Text> {

  @Override
  public RecordReader<NullWritable, Text> createRecordReader(InputSplit split, TaskAttemptContext context) {
    return new RecordReader<NullWritable, Text>() {
      private FileSplit split;
      private TaskAttemptContext context;
      private Text record;

      @Override
      public void initialize(InputSplit split, TaskAttemptContext context) {
        this.split = (FileSplit) split;
        this.context = context;
      }

      @Override
      public boolean nextKeyValue() throws IOException {
        if (record != null) {
          return false;
        }
        Path path = split.getPath();
        long start = System.currentTimeMillis();
        byte[] buffer = new byte[128 * 1024];
        long bytes = 0;
        String from = "?";
        try (FSDataInputStream in = path.getFileSystem(context.getConfiguration()).open(path)) {
          in.seek(split.getStart());
          while (bytes < split.getLength()) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, split.getLength() - bytes));
            if (count < 0) {
              break;
            }
            bytes += count;
            if (bytes == count) {
              from = ((HdfsDataInputStream) in).getCurrentDatanode().getHostName();
            }
          }
        }
        String host = System.getenv("NM_HOST") == null ? System.getenv("SPARK_EXECUTOR_HOST") : System.getenv("NM_HOST");
        record =
            new Text(path.toUri().getPath() + "\t" + host + "\t" + from + "\t" + start + "\t"
                + System.currentTimeMillis() + "\t" + bytes);
        return true;
      }

      @Override
      public NullWritable getCurrentKey() {
        return NullWritable.get();
      }

      @Override
      public Text getCurrentValue() {
        return record;
      }

      @Override
      public float getProgress() {
        return record == null ? 0 : 1;
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
