import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { succeed } from '../packages/command.ts'
import { root } from '../packages/folders.ts'

const mirror = 'http://deb.debian.org/debian'

/** Makes a Debian 12 of its least packages and those that openfountain needs, by debootstrap, as root. */
export async function makeBase(folder: string): Promise<void> {
  const packages = ['adduser', 'ca-certificates', 'libgcc-s1', 'libstdc++6'].join(',')
  await succeed('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', folder, mirror])
}

/**
 * Builds the image of examples/self-hosting/Containerfile by buildah, which needs neither a daemon nor a registry.
 *
 * @param base a folder of `makeBase`
 * @param deb the Debian package that it installs
 * @param into a folder
 * @returns the file, an archive that `podman load` and `docker load` read
 */
export async function makeImage(base: string, deb: string, into: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'openfountain-image-'))
  const store = [
    '--root',
    join(folder, 'images'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ]
  const buildah = (...args: readonly string[]): Promise<string> => succeed('buildah', [...store, ...args])
  const archive = join(into, basename(deb).replace(/\.deb$/u, '_image.tar'))
  try {
    const container = (await buildah('from', 'scratch')).trim()
    await buildah('add', '--quiet', container, base, '/')
    await buildah('commit', '--quiet', '--rm', container, 'localhost/debian')
    const context = join(folder, 'context')
    await cp(deb, join(context, basename(deb)))
    const how = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', 'BASE=localhost/debian']
    const file = [
      '--file',
      join(root, 'examples/self-hosting/Containerfile'),
      '--tag',
      'localhost/openfountain',
    ]
    await buildah('build', ...how, ...file, context)
    await rm(archive, { force: true })
    await buildah(
      'push',
      '--quiet',
      'localhost/openfountain',
      `docker-archive:${archive}:openfountain:latest`,
    )
    return archive
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
