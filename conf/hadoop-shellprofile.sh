# SPDX-License-Identifier: Apache-2.0
# For $HADOOP_CONF_DIR/shellprofile.d/ or libexec/shellprofile.d/ of Hadoop 3: puts the placement policy on the class
# path of every daemon and tool, and makes 'hdfs thermocline ...' a command.
THERMOCLINE_HOME=${THERMOCLINE_HOME:-/usr/lib/thermocline}

hadoop_add_profile thermocline

function _thermocline_hadoop_classpath
{
  hadoop_add_classpath "${THERMOCLINE_HOME}/plugin/*"
}

if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
  hadoop_add_subcommand "thermocline" client "the tiering service and its tools"
fi

function hdfs_subcommand_thermocline
{
  exec "${THERMOCLINE_HOME}/bin/thermocline" "$@"
}
