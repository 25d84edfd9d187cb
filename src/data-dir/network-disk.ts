// Whether a directory is on a disk of another machine, where SQLite's locks and its shared memory cannot be relied on. Asks
// Linux's table of mounts; other systems do not tell, and count as local.
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

const MOUNTS = "/proc/self/mountinfo";

/** Names of file systems in that table. `fuse.NAME` counts for those that keep their files elsewhere. */
const NETWORK_TYPES =
  /^(nfs\d*|cifs|smb\d*|smbfs|ncpfs|afs|9p|ceph|glusterfs|lustre|beegfs|gpfs|ocfs2|gfs2|davfs|fuse\.(sshfs|rclone|s3fs|gcsfuse|goofys|mount-s3|glusterfs|ceph\S*|davfs\S*|curlftpfs|smbnetfs|afpfs|blobfuse\S*|juicefs|moosefs|mfs))$/;

interface Mount {
  point: string;
  type: string;
}

/** Octal escapes stand for blanks in the table. */
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

function mountsIn(table: string): Mount[] {
  return table.split("\n").flatMap((line) => {
    const [before = "", after] = line.split(" - ");
    const point = before.split(" ")[4];
    const type = after?.split(" ")[0];
    return point !== undefined && type !== undefined ? [{ point: unescaped(point), type }] : [];
  });
}

/** The type of the network file system that holds an absolute path, by a table of mounts; undefined for a local one. */
export function networkTypeIn(table: string, path: string): string | undefined {
  let found: Mount | undefined;
  for (const mount of mountsIn(table)) {
    const isAbove =
      path === mount.point || path.startsWith(mount.point.endsWith("/") ? mount.point : `${mount.point}/`);
    // A later mount hides an earlier one at the same place.
    if (isAbove && mount.point.length >= (found?.point.length ?? 0)) found = mount;
  }
  return found && NETWORK_TYPES.test(found.type) ? found.type : undefined;
}

/** The type of the network file system a directory is or would be on; undefined for a local one and where it cannot be told. */
function networkTypeOf(dir: string): string | undefined {
  try {
    let there = resolve(dir);
    while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
    return networkTypeIn(readFileSync(MOUNTS, "utf8"), realpathSync(there));
  } catch {
    return undefined;
  }
}

/** A sentence about a data directory on another machine's disk; undefined for a local one. */
export function networkDiskWarning(dir: string): string | undefined {
  const type = networkTypeOf(dir);
  if (type === undefined) return undefined;
  return `the data directory ${dir} is on a network disk (${type}), where a database can be damaged or lose its lock: choose a local one with --data-dir, and copy it there with agentd backup`;
}
