import { execFile, spawnSync } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { installedChromium } from './browser/chromium.ts'

/** A Debian package with the programs, or the module's folder, that prove its installation. */
interface Package {
  readonly programs?: readonly string[]
  readonly module?: string
}

/** Chromium without browser windows; one with windows works as well. */
const shell = 'chromium-headless-shell'

const debian: Readonly<Record<string, Package>> = {
  apache2: { programs: ['apache2'] },
  buildah: { programs: ['buildah'] },
  caddy: { programs: ['caddy'] },
  [shell]: { programs: [shell] },
  crun: { programs: ['crun'] },
  debootstrap: { programs: ['debootstrap'] },
  fail2ban: { programs: ['fail2ban-regex'] },
  'gdal-bin': { programs: ['ogrinfo'] },
  'libimage-exiftool-perl': { programs: ['exiftool'] },
  'libxml2-utils': { programs: ['xmllint'] },
  lintian: { programs: ['lintian'] },
  logrotate: { programs: ['logrotate'] },
  nginx: { programs: ['nginx'] },
  'osmium-tool': { programs: ['osmium'] },
  podman: { programs: ['podman'] },
  postgresql: { programs: ['postgres'] },
  'python3-geopandas': { module: '/usr/lib/python3/dist-packages/geopandas' },
  'python3-owslib': { module: '/usr/lib/python3/dist-packages/owslib' },
  'python3-pandas': { module: '/usr/lib/python3/dist-packages/pandas' },
  'python3-qgis': { module: '/usr/lib/python3/dist-packages/qgis' },
  'r-cran-sf': { module: '/usr/lib/R/site-library/sf' },
  sqlite3: { programs: ['sqlite3'] },
  systemd: { programs: ['systemd-analyze'] },
}

const fonts = 'fonts-dejavu-core'

const run = promisify(execFile)

const inPath = (): string[] => (process.env['PATH'] ?? '').split(path.delimiter)

const filesOf = (folder: string): Promise<string[]> => readdir(folder).catch((): string[] => [])

async function foldersWith(program: string, folders: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    folders.map((folder) =>
      access(path.join(folder, program), constants.X_OK).then(
        () => [folder],
        () => [],
      ),
    ),
  )
  return found.flat()
}

async function isThere(program: string): Promise<boolean> {
  if (program === shell) return (await installedChromium()) !== undefined
  if (program === 'postgres') return (await postgresFolder()) !== undefined
  return (await foldersWith(program, inPath())).length > 0
}

/** Debian's PostgreSQL folders, one per version, are not in the path. */
const versionsOfPostgres = '/usr/lib/postgresql'
const oldestPostgres = 15

/** The folder of PostgreSQL's programs, of the newest supported version; `undefined` without one. */
export async function postgresFolder(): Promise<string | undefined> {
  const versions = await filesOf(versionsOfPostgres)
  const newestFirst = versions
    .map(Number)
    .filter((version) => version >= oldestPostgres)
    .toSorted((one, other) => other - one)
    .map((version) => path.join(versionsOfPostgres, String(version), 'bin'))
  return (await foldersWith('postgres', [...newestFirst, ...inPath()]))[0]
}

async function isMissing(name: string): Promise<boolean> {
  const { programs = [], module } = debian[name] ?? {}
  if (module !== undefined) return (await filesOf(module)).length === 0
  return !(await Promise.all(programs.map(isThere))).includes(true)
}

/** Installs missing packages, where root may, after one line with names and sizes; else names the remedy. */
export async function install(names: readonly string[]): Promise<void> {
  const lacking = await Promise.all(names.map(async (name) => ((await isMissing(name)) ? [name] : [])))
  const missing = lacking.flat()
  if (missing.length === 0) return
  const wanted = missing.includes(shell) ? [...missing, fonts] : missing
  const remedy = `apt-get install --no-install-recommends ${wanted.join(' ')}`
  if (process.getuid?.() !== 0 || !(await isThere('apt-get'))) {
    console.error(`Some tests need programs that are not installed: ${remedy}`)
    return
  }
  // Tests start servers on ports of their own: systemd must not start others.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1', LC_ALL: 'C' }
  const aptGet = (...args: readonly string[]) => run('apt-get', [...args], { env, timeout: 1_800_000 })
  const selected = ['install', '--no-install-recommends', ...wanted]
  try {
    await aptGet('update', '-qq')
    // Exit status 1 means that it is not installed.
    const { stdout } = spawnSync('apt-get', ['--assume-no', ...selected], { env, encoding: 'utf8' })
    const [, fetched = 'an unknown size'] = /Need to get (?:[^/]*\/)?(.*?) of archives/u.exec(stdout) ?? []
    const [, used = 'an unknown size'] = /After this operation, (.*?) of additional/u.exec(stdout) ?? []
    console.error(`Installing from Debian: ${wanted.join(', ')} (${fetched} to fetch, ${used} on disk)`)
    await aptGet('-y', '-qq', ...selected)
  } catch (error) {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    console.error(`Not installed (${reason}). Do it by hand: ${remedy}`)
  }
}
