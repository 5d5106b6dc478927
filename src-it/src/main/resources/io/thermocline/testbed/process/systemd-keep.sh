# SPDX-License-Identifier: Apache-2.0
# Starts a systemd in namespaces of its own, in a control group, until the input ends; removes the group then.
# Arguments: the group's directory, the script of the first process in the namespaces, and its arguments.
set -eu
trap '' INT TERM HUP
exec 3<&0
group=$1
shift
mkdir "$group"
(
  echo "$BASHPID" >"$group/cgroup.procs"
  exec unshare --pid --fork --kill-child --mount --mount-proc --uts --ipc --cgroup --propagation private bash "$@"
) 3<&- &
systemd=$!
(
  read -r _ <&3 || true
  kill -KILL "$systemd"
) &
watch=$!
wait "$systemd" || true
kill -KILL "$watch" 2>/dev/null || true
i=0
until find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || [ $i -eq 50 ]; do
  sleep 0.1
  i=$((i + 1))
done
