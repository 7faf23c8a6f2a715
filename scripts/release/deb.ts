import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { unitsOf } from '../../packages/cli/src/units.ts'
import { succeed } from '../packages/command.ts'
import { buildNumber } from '../packages/build-number.ts'
import { packageFolders, root } from '../packages/folders.ts'
import { installedSize } from '../packages/size.ts'
import { Manifest, type Tarball } from '../packages/tarball.ts'
import { closureOf } from './closure.ts'

/** The folder of the packages on a machine, and that of its registry. */
const library = '/usr/lib/openfountain'
const home = '/var/lib/openfountain'
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const description = 'Open registry of public water fountains'

const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ]; then
  if ! getent passwd openfountain >/dev/null; then
    adduser --system --group --quiet --home ${home} --no-create-home --gecos "${description}" openfountain
  fi
  if [ ! -d ${home} ]; then
    install -d -m 0700 -o openfountain -g openfountain ${home}
  fi
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    # An upgrade: the database comes along, after a backup, and what runs goes on with the new version.
    if systemctl is-active --quiet openfountain.service; then
      systemctl stop openfountain.service
      runuser -u openfountain -- sh -c 'cd ${home} && set -a && . ./openfountain.env && exec openfountain upgrade' || true
      systemctl start openfountain.service
    fi
  fi
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
  systemctl disable --now --quiet openfountain.service openfountain-publish.timer openfountain-backup.timer openfountain-harvest.timer openfountain-doctor.timer || true
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
if [ "$1" = purge ] && [ -d ${home} ]; then
  echo "The registry in ${home} and its user stay. To remove them for ever: rm -r ${home}; deluser --system openfountain"
fi
`,
}

const copyright = (): string => `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: openfountain
Comment: Each package below ${library}/node_modules has its own license beside it.

Files: *
Copyright: The contributors of openfountain
License: Expat

License: Expat
`

/** The text of MIT as Debian's format of copyright files has it. */
const indented = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => ` ${line.trim() === '' ? '.' : line}\n`)
    .join('')

/** Puts the packages, those of others that they need, and Node into a folder of a package. */
async function addLibrary(stage: string, tarballs: readonly Tarball[]): Promise<void> {
  const modules = join(stage, library, 'node_modules')
  const wanted = tarballs.filter(({ name }) => name !== '@openfountain/fastify')
  for (const { name, file } of wanted) {
    const folder = join(modules, name)
    await mkdir(folder, { recursive: true })
    await succeed('tar', [
      '--extract',
      '--gzip',
      '--file',
      file,
      '--directory',
      folder,
      '--strip-components=1',
    ])
  }
  const folders = packageFolders.filter((folder) => wanted.some((one) => one.folder === folder))
  for (const path of await closureOf(folders)) {
    if (!path.startsWith('node_modules/')) throw new Error(`${path} is not at the top: npm dedupe`)
    const own = join(root, path)
    await cp(own, join(stage, library, path), {
      recursive: true,
      filter: (source) => source === own || !isLeftOut(source.slice(own.length + 1)),
    })
  }
  // Programs of other packages are run by nothing.
  const files = await readdir(modules, { recursive: true, withFileTypes: true })
  for (const file of files)
    if (file.isFile() && !isProgram(join(file.parentPath, file.name)))
      await chmod(join(file.parentPath, file.name), 0o644)
}

/** Types, source maps, sources of binaries, settings of tools and binaries for other machines. */
function isLeftOut(path: string): boolean {
  const name = basename(path)
  // Astro reads the types that it gives to others.
  if (path.startsWith('templates/')) return false
  if (/\.(?:d\.[cm]?ts|[cm]?[jt]s\.map|css\.map|h|hpp|cc|cpp|gypi?)$|^node_modules$|^\.(?!$)/u.test(name))
    return true
  return /^prebuilds\/./u.test(path) && !path.startsWith(`prebuilds/linux-${process.arch}`)
}

const isProgram = (path: string): boolean => /\/bin\/(?:node|esbuild|openfountain\.mjs)$/u.test(path)

/** Findings of lintian that are meant, with the reason. */
const overrides = `# Programs of others are inside as their makers publish them: Node, esbuild, SQLite's binding and libvips.
openfountain: embedded-library *
openfountain: statically-linked-binary *
openfountain: unstripped-binary-or-object *
# Node is inside.
openfountain: missing-dep-for-interpreter *
openfountain: wrong-path-for-interpreter *
# Whoever publishes the package names the maintainer: npm run deb -- --maintainer
openfountain: bogus-mail-host *
openfountain: bogus-mail-host-in-debian-changelog *
openfountain: root-in-contact *
`

/**
 * Makes the Debian package of this machine's architecture, with Node inside, from packed packages.
 *
 * @param into a folder
 * @returns the file
 */
export async function makeDeb(
  tarballs: readonly Tarball[],
  into: string,
  maintainer = 'The contributors of openfountain <root@localhost>',
): Promise<string> {
  const architecture = architectures[process.arch]
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error('The Debian package is made on Linux, on x64 or arm64')
  const manifest = Manifest.parse(JSON.parse(await readFile(join(root, 'packages/cli/package.json'), 'utf8')))
  const version = buildNumber === 0 ? manifest.version : `${manifest.version}+build${buildNumber}`
  const stage = await mkdtemp(join(tmpdir(), 'openfountain-deb-'))
  const write = async (path: string, text: string | Buffer, mode = 0o644): Promise<void> => {
    await mkdir(dirname(join(stage, path)), { recursive: true })
    await writeFile(join(stage, path), text, { mode })
    await chmod(join(stage, path), mode)
  }
  try {
    await chmod(stage, 0o755)
    await addLibrary(stage, tarballs)
    const node = `${library}/node_modules/node-linux-${process.arch}/bin/node`
    const program = `${library}/node_modules/openfountain/bin/openfountain.mjs`
    // A path that is the same on every architecture.
    await symlink(node.slice(library.length + 1), join(stage, library, 'node'))
    const launcher = await readFile(join(stage, program), 'utf8')
    await write(program, launcher.replace(/^#!.*/u, `#!${library}/node`), 0o755)
    await mkdir(join(stage, 'usr/bin'), { recursive: true })
    await symlink(`..${program.slice('/usr'.length)}`, join(stage, 'usr/bin/openfountain'))
    const machine = {
      folder: home,
      user: 'openfountain',
      command: '/usr/bin/openfountain',
      isOnServer: false,
    }
    for (const [name, text] of unitsOf(machine)) await write(`lib/systemd/system/${name}`, text)
    const documents = 'usr/share/doc/openfountain'
    await write('usr/share/lintian/overrides/openfountain', overrides)
    await write(
      `${documents}/copyright`,
      copyright() + indented(await readFile(join(root, 'LICENSE'), 'utf8')),
    )
    await write(`${documents}/NEWS.gz`, gzipSync(await readFile(join(root, 'CHANGELOG.md')), { level: 9 }))
    const date = (await succeed('git', ['log', '-1', '--format=%cD'], { cwd: root })).trim()
    const change = `openfountain (${version}) stable; urgency=medium\n\n  * CHANGELOG.md of the project, here NEWS.gz, says what is new.\n\n -- ${maintainer}  ${date}\n`
    await write(`${documents}/changelog.gz`, gzipSync(change, { level: 9 }))
    const completion = await succeed(join(stage, node), [join(stage, program), 'completion', 'bash'])
    await write('usr/share/bash-completion/completions/openfountain', completion)
    await succeed('chmod', ['-R', 'u=rwX,go=rX', join(stage, 'usr'), join(stage, 'lib')])
    const { total } = await installedSize(join(stage, library))
    const control = {
      Package: 'openfountain',
      Version: version,
      Architecture: architecture,
      Maintainer: maintainer,
      'Installed-Size': String(Math.ceil(total * 1024)),
      Depends: 'adduser, libc6 (>= 2.31), libgcc-s1, libstdc++6',
      Recommends: 'systemd',
      Suggests: 'caddy | nginx',
      Section: 'web',
      Priority: 'optional',
      Description: `${description[0]?.toLowerCase()}${description.slice(1)}\n Serves the API and the map of a registry, publishes it as a static site,\n imports, exports and backs it up. Node is inside.`,
    }
    const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`)
    await write('DEBIAN/control', lines.join(''))
    for (const [name, text] of Object.entries(scripts)) await write(`DEBIAN/${name}`, text, 0o755)
    await succeed('dpkg-deb', ['--build', '--root-owner-group', '-Zgzip', '-z6', stage, into])
    return join(into, `openfountain_${version}_${architecture}.deb`)
  } finally {
    await rm(stage, { recursive: true, force: true })
  }
}
