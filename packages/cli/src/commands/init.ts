import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { isOnServer } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { type Given, text } from '../options.ts'
import { addressOptions, siteAddressOf, signInLink } from '../public-url.ts'
import { isWanted } from '../output.ts'
import { settingsFile, settingsText } from '../settings-file.ts'
import { passersByOption, registryOptions, withRegistry } from '../settings.ts'
import { unitsOf } from '../units.ts'

const databaseFile = 'fountains.db'
const unitFolder = 'systemd'

const initOptions = {
  db: text(
    'ADDRESS',
    `A database on a server, such as postgres://user@host/fountains; default the file ${databaseFile} in FOLDER`,
  ),
  moderator: text('NAME', 'The name that is suggested to the first moderator; default they choose it'),
  'public-url': addressOptions['public-url'],
  ...passersByOption,
  ...registryOptions,
}

const programFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin']

/** The command line for units: the installed command, or else the paths of this Node and program. */
function callOf(program: string): string {
  const own = realpathSync(program)
  const installed = programFolders
    .map((folder) => path.join(folder, 'openfountain'))
    .find((file) => existsSync(file) && realpathSync(file) === own)
  return installed ?? [process.execPath, ...process.execArgv, program].join(' ')
}

/** The files of a new folder except the database, by relative path. @throws CommandError usage */
function filesOf(folder: string, database: string, options: Given<typeof initOptions>): Map<string, string> {
  const settings = settingsText({
    folder,
    database,
    name: options['registry-name'],
    author: options['registry-author'],
    license: options['registry-license'],
    language: options['registry-language'],
    properties: options.properties && path.resolve(options.properties),
    publicUrl: options['public-url'],
    passersBy: options['passers-by'],
  })
  const files = new Map([[settingsFile, settings]])
  if (process.platform !== 'linux') return files
  const call = callOf(process.argv[1] ?? '')
  if (!/^[\p{L}\p{N}/._@+,=: -]+$/u.test(`${folder}${call}`) || /\s/u.test(folder))
    throw usage(
      `units of systemd cannot name ${JSON.stringify(folder)} or ${JSON.stringify(call)}: use paths of letters, digits and ./_@+,=:-`,
    )
  const machine = { folder, user: userInfo().username, command: call, isOnServer: isOnServer(database) }
  for (const [name, text] of unitsOf(machine)) files.set(path.join(unitFolder, name), text)
  return files
}

/** @throws CommandError usage when one of the names exists */
function mustBeFree(folder: string, names: readonly string[]): void {
  const taken = names.filter((name) => existsSync(path.join(folder, name)))
  if (taken.length > 0)
    throw usage(`${folder} has ${taken.join(', ')} already: nothing was written; choose another folder`)
}

/** Writes files into a folder, for their owner alone. */
async function write(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(path.join(folder, 'backups'), { mode: 0o700 })
  for (const [name, text] of files) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true, mode: 0o700 })
    await writeFile(path.join(folder, name), text, { flag: 'wx', mode: 0o600 })
  }
}

const nextSteps = (folder: string): string[] =>
  process.platform === 'linux'
    ? [
        'As root, it begins to serve, to publish every hour and to be backed up every night:',
        `  cp ${path.join(folder, unitFolder)}/* /etc/systemd/system/`,
        '  systemctl daemon-reload',
        '  systemctl start openfountain-publish.service',
        '  systemctl enable --now openfountain.service openfountain-publish.timer openfountain-backup.timer openfountain-harvest.timer openfountain-doctor.timer',
      ]
    : []

const passersByQuestion = 'May people without an account say that a fountain works or is broken?'

const whoOpens = (until: string): string =>
  `Whoever opens the link first is the first moderator, once, until ${until}; it is shown only this once.`

const init = command('init', {
  summary: 'Makes a folder with all that a registry needs, and prints a link for its first moderator.',
  more: `The folder then has the database, ${settingsFile} with the settings of all commands, a folder for backups, and units of systemd with its paths, for the user who runs this (${unitFolder}/, on Linux). Nothing in it is overwritten: where one of these is there already, nothing is written. The link signs in once, within 24 hours, and the registry keeps only a hash of the secret in it; openfountain user invite --moderator makes another one. On a terminal it asks whether people without an account may say that a fountain works or is broken; elsewhere they may with --passers-by.`,
  places: { folder: { about: 'Where; it is made if it does not exist (default .)', optional: true } },
  options: initOptions,
  examples: {
    'init lund --registry-name "Fountains of Lund" --moderator Ada':
      'Makes a registry to try in the folder lund',
    'init /var/lib/openfountain --public-url https://fountains.example --moderator Ada':
      'Makes one to be served behind a proxy on the same machine',
  },
  async run({ folder: given = '.', ...options }, context) {
    const { db, moderator, 'public-url': publicUrl } = options
    if (publicUrl !== undefined) siteAddressOf(publicUrl)
    if (db !== undefined && !isOnServer(db))
      throw usage(`--db is for databases on a server; a file is ${databaseFile} in FOLDER`)
    const folder = path.resolve(given)
    const database = db ?? path.join(folder, databaseFile)
    const names = [...(db === undefined ? [databaseFile] : []), settingsFile, 'backups', unitFolder]
    mustBeFree(folder, [...names, 'site', 'security.log'])
    const passersBy = options['passers-by'] || (await isWanted(passersByQuestion, context.out))
    const files = filesOf(folder, database, { ...options, 'passers-by': passersBy })
    const firstMade = await mkdir(folder, { recursive: true, mode: 0o700 })
    const securityLog = path.join(folder, 'security.log')
    const invitation = await write(folder, files)
      .then(() =>
        withRegistry(
          { ...options, db: database, 'security-log': securityLog },
          'create',
          context,
          (registry) => registry.accounts.invite({ name: moderator, isModerator: true }),
        ),
      )
      .catch(async (error: unknown) => {
        const made = firstMade === undefined ? [...names, 'security.log'] : []
        for (const name of made) await rm(path.join(folder, name), { recursive: true, force: true })
        if (firstMade !== undefined) await rm(firstMade, { recursive: true, force: true })
        throw error
      })
    const { secret, expiresAt } = invitation
    const link = signInLink(options, secret)
    const made = { folder, database, files: [...files.keys()], link, secret, expiresAt }
    context.out.result(made, () => [link])
    if (context.out.json) return
    context.out.note(
      [
        whoOpens(expiresAt),
        ...nextSteps(folder),
        `openfountain doctor ${inert(folder)} tells what is not as it should be.`,
        'Streets for the map: openfountain basemap add SOURCE; https://maps.protomaps.com/builds names sources.',
      ].join('\n'),
    )
  },
})

/** The user, the folder and the units of the Debian package. */
const installed = {
  user: 'openfountain',
  folder: '/var/lib/openfountain',
  unit: '/lib/systemd/system/openfountain.service',
}

/** Jobs that have no network, unless the database is on a server. */
const jobsAlone = ['openfountain-publish', 'openfountain-backup']

/** Runs a program. @returns its standard output @throws CommandError when it fails */
async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, [code]] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    once(child, 'exit').catch(() => [undefined]) as Promise<[number | null | undefined]>,
  ])
  if (code !== 0)
    throw new CommandError(
      'failed',
      `${[program, ...args].join(' ')} did not succeed: nothing after it was done`,
    )
  return output.join('')
}

const argumentsOf = (options: Given<typeof initOptions>): string[] =>
  (Object.keys(initOptions) as (keyof typeof initOptions)[]).flatMap((name) => {
    const value = options[name]
    if (value === undefined || value === false) return []
    return [value === true ? `--${name}` : `--${name}=${value}`]
  })

const setup = command('setup', {
  summary: 'Makes the registry of a machine with the Debian package, and starts its services.',
  more: `It runs init in ${installed.folder} as the user ${installed.user}, publishes the site, and starts the server, hourly publishing, harvests and nightly backups. Root alone may; where something fails, what was done stays, and the message names it.`,
  options: initOptions,
  examples: {
    'setup --registry-name "Fountains of Lund" --public-url https://fountains.example --moderator Ada':
      'Makes a registry behind a proxy on the same machine, and serves it',
  },
  async run(options, { out }) {
    const { user, folder, unit } = installed
    if (!existsSync(unit))
      throw usage('setup is for machines with the Debian package: openfountain init FOLDER does without it')
    if (process.getuid?.() !== 0)
      throw usage('setup starts services, which only root may: sudo openfountain setup …')
    const passersBy = options['passers-by'] || (await isWanted(passersByQuestion, out))
    const init = ['init', folder, '--json', ...argumentsOf({ ...options, 'passers-by': passersBy })]
    const made = JSON.parse(
      await outputOf('runuser', ['-u', user, '--', process.argv[1] ?? '', ...init]),
    ) as { readonly link: string; readonly expiresAt: string }
    // The link is shown only once: also where a service does not start.
    out.result(made, () => [made.link])
    out.note(whoOpens(made.expiresAt))
    // The package has the units; those of init would go on after an upgrade as they are.
    await rm(path.join(folder, unitFolder), { recursive: true })
    if (options.db !== undefined)
      for (const job of jobsAlone) {
        const own = `/etc/systemd/system/${job}.service.d`
        await mkdir(own, { recursive: true })
        const network =
          '[Service]\nPrivateNetwork=no\nRestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK\n'
        await writeFile(path.join(own, 'database.conf'), network)
      }
    const units = [
      'openfountain.service',
      ...['publish', 'backup', 'harvest', 'doctor'].map((name) => `openfountain-${name}.timer`),
    ]
    await outputOf('systemctl', ['daemon-reload'])
    await outputOf('systemctl', ['start', 'openfountain-publish.service'])
    await outputOf('systemctl', ['enable', ...units])
    await outputOf('systemctl', ['start', ...units])
  },
})

export const commands = [init, setup]
