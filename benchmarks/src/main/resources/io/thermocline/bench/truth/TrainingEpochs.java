// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.mllib.classification.LogisticRegressionWithSGD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.mllib.regression.LabeledPoint;
import org.apache.spark.mllib.util.MLUtils;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.SparkSession;

/**
 * Logistic regression with Spark MLlib: each epoch reads the files of a data set, in LIBSVM's format, in an order of its own and a
 * few at a time. Each argument is a data set and how many epochs it is trained for, as {@code /train/a=8}.
 */
public class TrainingEpochs {
  private static final int FEATURES = 20;
  private static final int FILES_AT_A_TIME = 8;

  public static void main(String[] args) throws Exception {
    Random random = new Random(1);
    for (String arg : args) {
      String directory = arg.substring(0, arg.indexOf('='));
      int epochs = Integer.parseInt(arg.substring(arg.indexOf('=') + 1));
      SparkSession spark =
          SparkSession.builder()
              .appName("training")
              .master("local[4]")
              .config("spark.ui.enabled", "false")
              // In one process nobody looks again once the wait for a place is over.
              .config("spark.locality.wait", "0s")
              .getOrCreate();
      List<String> files = new ArrayList<>();
      for (FileStatus file : FileSystem.get(new Configuration()).listStatus(new Path(directory))) {
        files.add(file.getPath().toString());
      }
      double[] zeros = new double[FEATURES];
      Vector weights = Vectors.dense(zeros);
      for (int epoch = 0; epoch < epochs; epoch++) {
        Collections.shuffle(files, random);
        for (int from = 0; from < files.size(); from += FILES_AT_A_TIME) {
          List<String> batch = files.subList(from, Math.min(from + FILES_AT_A_TIME, files.size()));
          weights = train(spark, String.join(",", batch), weights);
        }
      }
      spark.stop();
      if (Arrays.equals(zeros, weights.toArray())) {
        throw new IllegalStateException("nothing was learned");
      }
    }
  }

  private static Vector train(SparkSession spark, String files, Vector weights) {
    RDD<LabeledPoint> points = MLUtils.loadLibSVMFile(spark.sparkContext(), files, FEATURES);
    points.cache();
    Vector trained = new LogisticRegressionWithSGD(0.1, 1, 0.01, 1.0).run(points, weights).weights();
    points.unpersist(true);
    return trained;
  }
}
