#!/bin/sh
# Copies programs, and of the packages that they come with only the shared libraries that they load, into a folder.
# Debian's ffmpeg needs packages of 460 MB, half of which (LLVM, drivers of graphics cards) it never opens here.
#   collect-programs.sh FOLDER BASE PROGRAM...     BASE is a file with the names of packages that need not be copied.
# Copied with each file: the licence of its package, and the package's entry in /var/lib/dpkg/status.d, where scanners for
# known vulnerabilities look.
set -eu
folder=$1
base=$2
shift 2

# The package of a file. dpkg knows some files below /usr by their name without it.
package_of() {
  real=$(realpath "$1")
  { dpkg -S "$real" 2>/dev/null || dpkg -S "${real#/usr}"; } | head -n 1 | cut -d : -f 1
}

list=$(mktemp)
for program in "$@"; do
  path=$(command -v "$program")
  libraries=$(ldd "$path")
  if echo "$libraries" | grep 'not found' >&2; then exit 1; fi
  echo "$path" >>"$list"
  echo "$libraries" | awk '$2 == "=>" { print $3 }' >>"$list"
done

for file in $(sort -u "$list"); do
  package=$(package_of "$file")
  if grep -qx "$package" "$base"; then continue; fi
  # Under the name by which it is opened, in the folder that this name leads to.
  place=$(realpath "$(dirname "$file")")
  mkdir -p "$folder$place" "$folder/usr/share/doc/$package" "$folder/var/lib/dpkg/status.d"
  cp -L "$file" "$folder$place/"
  dpkg -s "$package" >"$folder/var/lib/dpkg/status.d/$package"
  # A system that was set up to do without documents has none.
  licence=/usr/share/doc/$package/copyright
  if [ -e "$licence" ]; then cp -L "$licence" "$folder$licence"; fi
done
rm "$list"
