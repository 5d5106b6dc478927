# SPDX-License-Identifier: Apache-2.0
#
# Thermocline in Hadoop's shell commands: copy or link this file into $HADOOP_CONF_DIR/shellprofile.d/ of the
# hosts where `hdfs` is called, and remove it to be rid of it. It adds
#
#   hdfs storagepolicies -hint, -unhint, -listHints, -heat, -explain, -suggest, -tiering   beside what HDFS has
#   hdfs tiering status | pause | resume
#   hdfs --daemon start | stop | status tiering        the service, in the background; in front: hdfs tiering service
#
# and the client's jars to the class path of every command, so that fs.hdfs.impl and
# dfs.block.replicator.classname find their classes. What may be set before, in hadoop-env.sh:
#
#   THERMOCLINE_HOME          where it is installed; default: the tree that this file is linked from, else
#                             /opt/thermocline, else /usr/lib/thermocline
#   THERMOCLINE_CONF          directory of thermocline.yaml; default: /etc/thermocline, else conf in THERMOCLINE_HOME
#   THERMOCLINE_JAVA_HOME     Java 17 or newer for the service, where JAVA_HOME is older
#   THERMOCLINE_LOG_DIR       directory of the service's logs; default: thermocline in HADOOP_LOG_DIR
#   THERMOCLINE_LOG_FORMAT    text or json; default: text
#   THERMOCLINE_STOP_TIMEOUT  seconds that the service has to end what it does; default 60
#   HDFS_TIERING_OPTS         flags of the service's JVM, as for every daemon

function _thermocline_home
{
  local self
  local directory

  if [[ -n "${THERMOCLINE_HOME}" ]]; then
    return 0
  fi
  self=$(readlink -f "${BASH_SOURCE[0]}")
  for directory in "${self%/conf/shellprofile.d/*}" /opt/thermocline /usr/lib/thermocline; do
    if [[ -d "${directory}/client" ]]; then
      THERMOCLINE_HOME=${directory}
      return 0
    fi
  done
  return 1
}

if _thermocline_home; then
  hadoop_add_profile thermocline
  if [[ "${HADOOP_SHELL_EXECNAME}" = hdfs ]]; then
    hadoop_add_subcommand "tiering" daemon "run, ask or steer the tiering service"
  fi
else
  hadoop_debug "Thermocline isn't installed on this host; THERMOCLINE_HOME names its directory"
fi

function _thermocline_hadoop_classpath
{
  hadoop_add_classpath "${THERMOCLINE_HOME}/client/*"
}

function hdfs_subcommand_storagepolicies
{
  # Without the jars, HDFS's own.
  # shellcheck disable=SC2034
  if [[ -n "${THERMOCLINE_HOME}" && -d "${THERMOCLINE_HOME}/client" ]]; then
    HADOOP_CLASSNAME=io.thermocline.hints.cli.StoragePolicies
  else
    HADOOP_CLASSNAME=org.apache.hadoop.hdfs.tools.StoragePolicyAdmin
  fi
}

function hdfs_subcommand_tiering
{
  if [[ "${HADOOP_DAEMON_MODE}" != default || "$1" = service ]]; then
    _thermocline_service "$@"
  else
    # shellcheck disable=SC2034
    HADOOP_CLASSNAME=io.thermocline.hints.cli.Tiering
  fi
}

function _thermocline_service
{
  local conf
  local jar
  local package

  if [[ -z "${THERMOCLINE_HOME}" || ! -d "${THERMOCLINE_HOME}/lib" ]]; then
    hadoop_error "ERROR: the tiering service isn't installed on this host; THERMOCLINE_HOME names its directory"
    exit 1
  fi
  if [[ "$1" = service ]]; then
    shift
  fi
  conf=${THERMOCLINE_CONF:-/etc/thermocline}
  if [[ -z "${THERMOCLINE_CONF}" && ! -d "${conf}" ]]; then
    conf=${THERMOCLINE_HOME}/conf
  fi
  if [[ " $* " != *" --config"* ]]; then
    set -- --config "${conf}/thermocline.yaml" "$@"
  fi
  if [[ -n "${THERMOCLINE_JAVA_HOME}" ]]; then
    JAVA_HOME=${THERMOCLINE_JAVA_HOME}
    # shellcheck disable=SC2034
    JAVA=${JAVA_HOME}/bin/java
  fi

  # shellcheck disable=SC2034
  HADOOP_SUBCMD_SUPPORTDAEMONIZATION=true
  # Copies of blocks come to their end, and heat is saved.
  # shellcheck disable=SC2034
  HADOOP_STOP_TIMEOUT=${THERMOCLINE_STOP_TIMEOUT:-60}
  # The service's own libraries are loaded apart from Hadoop's.
  # shellcheck disable=SC2034
  HADOOP_CLASSNAME=io.thermocline.tiering.process.Isolated
  # shellcheck disable=SC2034
  HADOOP_SUBCMD_ARGS=("${THERMOCLINE_HOME}/lib" io.thermocline.tiering.commands.ServiceMain "$@")
  for jar in "${THERMOCLINE_HOME}"/lib/tiering-service-*.jar; do
    hadoop_add_classpath "${jar}"
  done
  _thermocline_logs "${conf}" "$@"
  hadoop_add_param HADOOP_OPTS thermocline.home "-Dthermocline.home=${THERMOCLINE_HOME}"
  for package in lang util util.concurrent net nio io; do
    package=java.base/java.${package}=ALL-UNNAMED
    hadoop_add_param HADOOP_OPTS "${package}" "--add-opens=${package}"
  done
}

# The launcher's way to log, in place of that of Hadoop's daemons: a line for each change in audit.log.
function _thermocline_logs # the directory of the configuration, then the service's arguments
{
  local appenders=file
  local directory=${THERMOCLINE_LOG_DIR:-${HADOOP_LOG_DIR}/thermocline}
  local layout=LineLayout

  if [[ "${HADOOP_DAEMON_MODE}" = stop || "${HADOOP_DAEMON_MODE}" = status ]]; then
    return
  fi
  if [[ ! -e "$1/log4j.properties" || " $* " =~ \ --(check|help|version)\  ]]; then
    hadoop_add_param HADOOP_OPTS log4j.configuration "-Dlog4j.configuration=thermocline-log4j.properties"
    return
  fi
  # It has paths of users' files.
  if [[ ! -d "${directory}" ]] && ! mkdir -p -m 0700 "${directory}" || [[ ! -w "${directory}" ]]; then
    hadoop_error "ERROR: can't write logs to ${directory}; THERMOCLINE_LOG_DIR names another directory"
    exit 1
  fi
  # What a daemon writes to its output, Hadoop doesn't rotate.
  if [[ "${HADOOP_DAEMON_MODE}" = default ]]; then
    appenders=stdout,file
  fi
  if [[ "${THERMOCLINE_LOG_FORMAT}" = json ]]; then
    layout=JsonLayout
  fi
  hadoop_add_param HADOOP_OPTS log4j.configuration "-Dlog4j.configuration=file:$1/log4j.properties"
  hadoop_add_param HADOOP_OPTS thermocline.log.dir "-Dthermocline.log.dir=${directory}"
  hadoop_add_param HADOOP_OPTS thermocline.log.appenders "-Dthermocline.log.appenders=${appenders}"
  hadoop_add_param HADOOP_OPTS thermocline.log.layout \
    "-Dthermocline.log.layout=io.thermocline.tiering.process.${layout}"
}
