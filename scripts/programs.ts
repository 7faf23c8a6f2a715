import { execFile } from 'node:child_process'
import { access, constants, readdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** Chromium without the windows of a browser. */
const browser = 'chromium-headless-shell'

/** Programs of others that tests compare with, by the Debian package that has them. */
const packages: Readonly<Record<string, readonly string[]>> = {
  apache2: ['apache2'],
  caddy: ['caddy'],
  [browser]: [browser, 'chromium', 'chromium-browser', 'google-chrome'],
  'gdal-bin': ['ogrinfo'],
  'libxml2-utils': ['xmllint'],
  nginx: ['nginx'],
  postgresql: ['postgres'],
  sqlite3: ['sqlite3'],
  systemd: ['systemd-analyze'],
}

/** What Chromium draws its labels with. */
const fonts = 'fonts-dejavu-core'

/** Where Debian's Python and R have the modules that examples use, by their package. */
const modules: Readonly<Record<string, string>> = {
  'python3-geopandas': '/usr/lib/python3/dist-packages/geopandas',
  'python3-pandas': '/usr/lib/python3/dist-packages/pandas',
  'python3-qgis': '/usr/lib/python3/dist-packages/qgis',
  'r-cran-sf': '/usr/lib/R/site-library/sf',
}

const run = promisify(execFile)

const inPath = (): string[] => (process.env['PATH'] ?? '').split(path.delimiter)

/** The files of a folder; none where it is not there. */
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
  if (program === 'postgres') return (await postgresFolder()) !== undefined
  return (await foldersWith(program, inPath())).length > 0
}

/** Debian keeps the servers of PostgreSQL out of the path, a folder for each version. */
const versionsOfPostgres = '/usr/lib/postgresql'
const oldestPostgres = 15

/** Where the programs of PostgreSQL are, those of the newest version; `undefined` when there is none that serves. */
export async function postgresFolder(): Promise<string | undefined> {
  const versions = await filesOf(versionsOfPostgres)
  const newestFirst = versions
    .map(Number)
    .filter((version) => version >= oldestPostgres)
    .toSorted((one, other) => other - one)
    .map((version) => path.join(versionsOfPostgres, String(version), 'bin'))
  return (await foldersWith('postgres', [...newestFirst, ...inPath()]))[0]
}

async function isMissing([name, programs]: [string, readonly string[]]): Promise<string[]> {
  if (name === browser && process.env['CHROMIUM_PATH']) return []
  const found = await Promise.all(programs.map(isThere))
  return found.includes(true) ? [] : [name]
}

/**
 * Installs the programs that tests compare with, where Debian's packages can be installed. Vitest runs it before
 * the tests that need them. What cannot be installed is reported in one line, and the tests that need it fail.
 */
export async function setup(): Promise<void> {
  const withoutModule = Object.entries(modules).map(async ([name, folder]) =>
    (await filesOf(folder)).length > 0 ? [] : [name],
  )
  const missing = (await Promise.all([...Object.entries(packages).map(isMissing), ...withoutModule])).flat()
  if (missing.length === 0) return
  const wanted = missing.includes(browser) ? [...missing, fonts] : missing
  const remedy = `apt-get install ${wanted.join(' ')}`
  if (process.getuid?.() !== 0 || !(await isThere('apt-get'))) {
    console.error(`Some tests need programs that are not here: ${remedy}`)
    return
  }
  console.error(`Installing what tests compare with: ${wanted.join(', ')}`)
  // Servers are installed for tests, which start them on ports of their own: systemd must not.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1' }
  const install = (names: readonly string[]) =>
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env, timeout: 1_800_000 })
  const failed = (names: readonly string[]) => (error: unknown) => {
    const [reason = ''] = error instanceof Error ? error.message.split('\n') : []
    console.error(`Not installed (${reason}). Do it by hand: apt-get install ${names.join(' ')}`)
  }
  await run('apt-get', ['update', '-qq'], { env, timeout: 300_000 }).catch(failed(wanted))
  try {
    await install(wanted)
  } catch {
    // One that cannot be had keeps no other away.
    for (const name of wanted) await install([name]).catch(failed([name]))
  }
}
