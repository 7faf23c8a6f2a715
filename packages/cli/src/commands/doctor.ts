import path from 'node:path'
import { command, loaded } from '../command.ts'
import type { Finding } from '../doctor/finding.ts'
import { tableLines, type Columns } from '../table.ts'
import { flag, text } from '../options.ts'

const words: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARNING', wrong: 'WRONG' }

const columns: Columns<Finding> = {
  SUBJECT: 'subject',
  STATE: ({ state }) => words[state],
  FINDING: 'message',
}

const doctor = command('doctor', {
  summary:
    'Tells what of an installation is not as it should be: files, clock, disk, copies, sources, photos, proxy.',
  more: 'It looks at Node, the settings, the database, the modes and owners of database, photos, secrets, settings and what is published, the clock, the room on the disk, the ages of the newest backup and of what is published, the sources that are stale, the files of photos that are missing or left over, and, as anybody could, at the address where browsers reach the server. It changes nothing. A line is ok, WARNING (worth a look, or it could not be looked at) or WRONG; exit code 8 says that something is wrong. Run it as the user of the services.',
  places: {
    folder: {
      about:
        'A folder that openfountain init made, with openfountain.env; default the environment’s settings',
      optional: true,
    },
  },
  options: {
    db: text('DATABASE', 'Another database than that of the settings'),
    secrets: text('FILE', 'The file of secrets that only the server gets', {
      default: '/etc/openfountain.secrets',
    }),
    offline: flag('Does not ask the public address'),
  },
  examples: {
    'doctor /var/lib/openfountain': 'Looks at a registry that is served',
    'doctor lund --offline': 'Looks at one before there is a proxy',
    'doctor lund --json': 'Prints { "ok": …, "findings": [{ "subject", "state", "message" }] }',
  },
  async run({ folder: given, db, secrets, offline }, context) {
    const { out, env } = context
    // Imported here, since the list of commands includes this one.
    const [
      { commands },
      { settingsOf },
      { modeFindings },
      machine,
      { copyFindings, databaseFinding, photoFindings },
      proxy,
    ] = await Promise.all([
      import('./all.ts'),
      import('../doctor/settings.ts'),
      import('../doctor/modes.ts'),
      import('../doctor/machine.ts'),
      import('../doctor/registry.ts'),
      import('../doctor/proxy.ts'),
    ])
    const folder = given === undefined ? undefined : path.resolve(given)
    const named = { folder, db, secrets: path.resolve(secrets) }
    const { settings, findings: aboutSettings } = await settingsOf(named, env, await loaded(commands))
    // Before opening the database, which creates files beside it.
    const aboutModes = await modeFindings(settings)
    const database = await databaseFinding(settings, context)
    const findings: readonly Finding[] = [
      machine.nodeFinding(),
      ...aboutSettings,
      database.finding,
      ...aboutModes,
      await machine.clockFinding(database.newest),
      ...(await machine.diskFindings(settings)),
      ...(await copyFindings(settings)),
      ...(database.sources ?? []),
      ...(database.finding.state === 'ok' ? await photoFindings(settings, context) : []),
      ...(await proxy.proxyFindings(settings, offline)),
    ]
    const wrong = findings.filter(({ state }) => state === 'wrong').length
    out.result({ ok: wrong === 0, findings }, () => tableLines(findings, columns))
    if (!out.json && wrong > 0)
      out.note(wrong === 1 ? 'One thing is not as it should be' : `${wrong} things are not as they should be`)
    return wrong === 0 ? 'done' : 'unwell'
  },
})

export const commands = [doctor]
