# SPDX-License-Identifier: Apache-2.0
# What the launcher of an installed Thermocline looks at; read by bash, each time. All of it may be left out.

# Java 17 or newer. Default: java on the PATH, then the newest below /usr/lib/jvm.
# export JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64

# The Hadoop whose jars are used: its home directory, or "own" for the one that is shipped with Thermocline.
# Default: HADOOP_HOME, then hadoop on the PATH, as 'hadoop classpath' names them; else the one that is shipped.
# THERMOCLINE_HADOOP=/opt/hadoop
# Or a class path, used as it is; the directory of the Hadoop configuration may be part of it.
# THERMOCLINE_HADOOP_CLASSPATH=/etc/hadoop/conf:/opt/hadoop/share/hadoop/common/*:/opt/hadoop/share/hadoop/common/lib/*

# Flags of the JVM. docs/start/requirements.md says how much memory the service needs.
THERMOCLINE_JAVA_OPTS=${THERMOCLINE_JAVA_OPTS:--Xmx4g}

# Directory of audit.log, which has a line for each change to HDFS, and of service.log. Default: /var/log/thermocline,
# for a tar.gz logs/ in its directory, and ~/.local/state/thermocline/log for a user who can't write there.
# THERMOCLINE_LOG_DIR=/var/log/thermocline

# text or json: lines of the service's log, one JSON object each.
# THERMOCLINE_LOG_FORMAT=text
