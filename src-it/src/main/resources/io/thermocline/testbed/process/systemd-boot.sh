# SPDX-License-Identifier: Apache-2.0
# The first process in the namespaces: makes the files of a host, and becomes its systemd.
# Arguments: a directory, then pairs of a directory of this host and where that host has it.
set -eu
directory=$1
shift
mount -t tmpfs tmpfs "$directory"
mkdir "$directory/upper" "$directory/work" "$directory/root"
root=$directory/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$directory/upper,workdir=$directory/work" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root/proc/sys" "$root/proc/sys"
mount -o remount,bind,ro "$root/proc/sys"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
while [ $# -gt 0 ]; do
  mkdir -p "$root$2"
  mount --rbind "$1" "$root$2"
  shift 2
done
# What this host starts isn't started there, and nothing is done to the kernel or the devices.
units=$root/etc/systemd/system
rm -rf "$units"
mkdir -p "$units"
for unit in modprobe@.service systemd-udevd.service systemd-udev-trigger.service systemd-sysctl.service \
  systemd-modules-load.service systemd-binfmt.service systemd-journald-audit.socket systemd-udevd-kernel.socket \
  systemd-udevd-control.socket systemd-firstboot.service systemd-update-utmp.service systemd-random-seed.service \
  dev-hugepages.mount dev-mqueue.mount sys-fs-fuse-connections.mount sys-kernel-config.mount \
  sys-kernel-debug.mount sys-kernel-tracing.mount proc-sys-fs-binfmt_misc.automount systemd-remount-fs.service; do
  ln -s /dev/null "$units/$unit"
done
: >"$root/etc/fstab"
hostname >"$root/etc/hostname"
mkdir "$root/tmp/of-this-host"
cd "$root"
pivot_root . tmp/of-this-host
umount -l /tmp/of-this-host
rmdir /tmp/of-this-host
exec env -i container=thermocline-test PATH="$PATH" /usr/lib/systemd/systemd --system --unit=basic.target \
  --log-target=console --show-status=0
