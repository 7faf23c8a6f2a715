/** @module-tag full */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { run, succeed } from '../packages/command.ts'
import { makeDeb } from '../release/deb.ts'
import { makeBase, makeImage } from '../release/image.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const folder = newFolder()
const base = join(folder, 'base')
const machine = join(folder, 'machine')
let deb: string

beforeAll(async () => {
  const [made] = await Promise.all([makeDeb(inject('tarballs'), folder), makeBase(base)])
  deb = made
  await succeed('cp', ['--archive', base, machine])
  // Nothing runs there that it could speak to.
  const told = '#!/bin/sh\necho "$@" >>/tmp/systemctl.log\n'
  await writeFile(join(machine, 'usr/local/bin/systemctl'), told, { mode: 0o755 })
})

/** Runs lines as root of the machine below the folder, with processes of its own. @returns its output */
async function onMachine(lines: string): Promise<string> {
  await writeFile(join(machine, 'tmp/lines.sh'), lines)
  const entered = `set -e
mount -t tmpfs tmpfs '${machine}/dev'
for one in null zero random urandom; do touch '${machine}/dev/'$one; mount --bind /dev/$one '${machine}/dev/'$one; done
mkdir '${machine}/dev/shm'
exec chroot '${machine}' bash -euo pipefail /tmp/lines.sh`
  const env = {
    PATH: process.env['PATH'],
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C.UTF-8',
  }
  const spaces = ['--mount', '--pid', '--fork', '--kill-child', `--mount-proc=${machine}/proc`]
  const child = spawn('unshare', [...spaces, 'bash', '-c', entered], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (code !== 0) throw new Error(`${lines}\nended with ${String(code)}\n${out}\n${err}`)
  return out
}

async function later(version: string): Promise<string> {
  const own = join(folder, 'later')
  await succeed('dpkg-deb', ['--raw-extract', deb, own])
  const control = join(own, 'DEBIAN/control')
  await writeFile(
    control,
    (await readFile(control, 'utf8')).replace(/^Version: .*$/mu, `Version: ${version}`),
  )
  const file = join(folder, `later_${version}.deb`)
  await succeed('dpkg-deb', ['--build', '--root-owner-group', '-Znone', own, file])
  return file
}

const settings = 'set -a; . /var/lib/openfountain/openfountain.env'

test('the Debian package is installed by apt, set up, served, upgraded and purged, and the registry outlives it', async () => {
  await cp(deb, join(machine, 'tmp/openfountain.deb'))
  const installed = await onMachine(
    'apt-get install -y --no-install-recommends /tmp/openfountain.deb; openfountain --version; stat -c "%a %U" /var/lib/openfountain',
  )
  expect(installed).toMatch(/\n\d+\.\d+\.\d+ \(.+\)\n700 openfountain\n$/u)
  const kibibytes = Number(await succeed('dpkg-deb', ['--field', deb, 'Installed-Size']))
  const ofNode = Number(await onMachine('stat -Lc %s /usr/lib/openfountain/node'))
  expect((kibibytes - ofNode / 1024) / 1024, 'mebibytes without Node').toBeLessThanOrEqual(266)
  const link = await onMachine(
    'openfountain setup --registry-name "Fountains of Lund" --moderator Ada 2>/dev/null',
  )
  expect(link).toMatch(/^http:\/\/localhost:3000\/sign-in\/#ofl_[\w-]{43}\n$/u)
  await expect(onMachine('openfountain setup')).rejects.toThrow('has fountains.db')
  const timers = ['publish', 'backup', 'harvest', 'doctor'].map((name) => `openfountain-${name}.timer`)
  const units = ['openfountain.service', ...timers].join(' ')
  expect(await onMachine('cat /tmp/systemctl.log; ls -m /var/lib/openfountain')).toBe(
    `daemon-reload\nstart openfountain-publish.service\nenable ${units}\nstart ${units}\nbackups, fountains.db, openfountain.env, security.log\n`,
  )
  const served = await onMachine(`cd /var/lib/openfountain; ${settings}; export OPENFOUNTAIN_PORT=0
as() { runuser -u openfountain -- "$@"; }
as openfountain publish $OPENFOUNTAIN_PUBLISH --languages en >/dev/null
as openfountain backup backups/fountains-1.db >/dev/null
as openfountain serve >/tmp/serve.log 2>&1 &
for i in $(seq 300); do grep -q 127.0.0.1: /tmp/serve.log && break; sleep 0.1; done
port=$(grep -om1 '127.0.0.1:[0-9]*' /tmp/serve.log)
/usr/lib/openfountain/node -e "fetch('http://$port/api').then((answer) => answer.text()).then(console.log)"
as openfountain doctor /var/lib/openfountain --offline --json | head -c 12`)
  expect(served).toContain('"name":"Fountains of Lund"')
  await cp(await later('99.0.0'), join(machine, 'tmp/later.deb'))
  const upgraded = await onMachine(
    'apt-get install -y --no-install-recommends /tmp/later.deb >/dev/null; dpkg-query -Wf "\\${Version}" openfountain; runuser -u openfountain -- openfountain log verify --db /var/lib/openfountain/fountains.db',
  )
  expect(upgraded).toMatch(/^99\.0\.0/u)
  const purged = await onMachine(
    'apt-get purge -y openfountain; ls /var/lib/openfountain; ls /usr/lib/openfountain /lib/systemd/system/openfountain.service 2>&1 || true',
  )
  expect(purged).toContain('The registry in /var/lib/openfountain and its user stay')
  expect(purged).toContain('fountains.db\n')
  expect(purged.match(/No such file/gu)).toHaveLength(2)
})

test('lintian has no error to tell of the Debian package', async () => {
  const { stdout } = await run('lintian', ['--allow-root', '--fail-on', 'none', deb])
  expect(stdout.split('\n').filter((line) => line.startsWith('E:'))).toEqual([])
})

test('the image is built without a registry, and its server runs as its own user, with nothing but its volume to write', async () => {
  const image = await makeImage(base, deb, folder)
  await mkdir(join(folder, 'image'))
  await succeed('tar', ['--extract', '--file', image, '--directory', join(folder, 'image')])
  const [{ Config }] = JSON.parse(await readFile(join(folder, 'image/manifest.json'), 'utf8')) as [
    { Config: string },
  ]
  expect(JSON.parse(await readFile(join(folder, 'image', Config), 'utf8'))).toMatchObject({
    config: { User: 'openfountain', Volumes: { '/var/lib/openfountain': {} }, Healthcheck: {} },
  })
  const store = [
    '--root',
    join(folder, 'images'),
    '--runroot',
    join(folder, 'run'),
    '--storage-driver',
    'vfs',
  ]
  // Without the second version of cgroups, which crun does not use beside the first one.
  const alone = 'umount /sys/fs/cgroup/unified 2>/dev/null; exec podman "$@"'
  const podman = (...args: readonly string[]) =>
    succeed('unshare', [
      '--mount',
      'sh',
      '-c',
      alone,
      'podman',
      ...store,
      '--cgroup-manager',
      'cgroupfs',
      ...args,
    ])
  await podman('load', '--quiet', '--input', image)
  const confined =
    '--read-only --tmpfs /tmp --network none --no-healthcheck --ulimit nofile=1024:1024 --ulimit nproc=1024:1024 --cgroups disabled --runtime crun'
  const inside = (...args: readonly string[]) =>
    podman(
      'run',
      '--rm',
      ...confined.split(' '),
      '--volume',
      'fountains:/var/lib/openfountain',
      'openfountain',
      ...args,
    )
  expect(await inside('init', '.', '--registry-name', 'Fountains of Lund')).toContain('/sign-in/#ofl_')
  expect(await inside('log', 'verify', '--json')).toContain('"entries"')
})
