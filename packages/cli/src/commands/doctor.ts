import { hostname } from 'node:os'
import path from 'node:path'
import { RegistryError } from '@openfountain/core'
import { messageId } from '@openfountain/core/internal'
import { command, loaded, type Context } from '../command.ts'
import type { Finding } from '../doctor/finding.ts'
import { tableLines, type Columns } from '../table.ts'
import { CommandError } from '../failure.ts'
import { flag, type Given, text } from '../options.ts'
import type { databaseOption } from '../settings.ts'
import { signInOptions } from '../sign-in-settings.ts'
import { deliveryOptions, operatorWebhook, senderOf } from '../webhook-settings.ts'

const words: Readonly<Record<Finding['state'], string>> = { ok: 'ok', warning: 'WARNING', wrong: 'WRONG' }

const columns: Columns<Finding> = {
  SUBJECT: 'subject',
  STATE: ({ state }) => words[state],
  FINDING: 'message',
}

/** Subjects whose warnings are mailed, too. */
const failing: ReadonlySet<Finding['subject']> = new Set(['sources', 'webhooks', 'backup', 'publication'])

interface Telling extends Given<typeof databaseOption & typeof deliveryOptions> {
  readonly operator: string | undefined
  readonly webhook: string | undefined
  readonly failed: string | undefined
  readonly smtp: string | undefined
  readonly 'mail-from': string | undefined
}

/** Tells the operator findings and the failed unit, if any, by mail, by a webhook or by both. @throws CommandError unreachable */
async function tellOperator(
  findings: readonly Finding[],
  { operator, webhook, failed, smtp, 'mail-from': from, ...given }: Telling,
  { out, env }: Pick<Context, 'out' | 'env'>,
): Promise<void> {
  const some = findings.filter(
    ({ state, subject }) => state === 'wrong' || (state === 'warning' && failing.has(subject)),
  )
  if (some.length === 0 && failed === undefined) return
  const mails = operator !== undefined && smtp !== undefined && from !== undefined
  if (!mails && webhook === undefined) {
    out.note(
      'Nobody is told: set OPENFOUNTAIN_OPERATOR_WEBHOOK, or OPENFOUNTAIN_OPERATOR, OPENFOUNTAIN_SMTP_URL and OPENFOUNTAIN_MAIL_FROM',
    )
    return
  }
  const problems: (string | undefined)[] = []
  if (mails) problems.push(await mailed(some, failed, { operator, smtp, from }))
  if (webhook !== undefined) {
    const at = new Date().toISOString()
    const body = JSON.stringify({ type: 'operation', timestamp: at, data: { failed, findings: some } })
    const to = { ...operatorWebhook, url: webhook }
    const sender = senderOf(given, env)
    sender.check(webhook)
    const { error } = await sender.send(to, { id: messageId(at, 0), body }, at)
    if (error !== undefined) problems.push(`the webhook: ${error}`)
  }
  const problem = problems.find((each) => each !== undefined)
  if (problem !== undefined) throw new CommandError('unreachable', `The operator was not told: ${problem}`)
}

async function mailed(
  some: readonly Finding[],
  failed: string | undefined,
  { operator, smtp, from }: Readonly<Record<'operator' | 'smtp' | 'from', string>>,
): Promise<string | undefined> {
  const { sendMail } = await import('@openfountain/accounts')
  const host = hostname()
  const lines = [
    ...(failed === undefined ? [] : [`${failed} failed: journalctl -u ${failed} says why.`, '']),
    ...(some.length === 0 ? ['Nothing else is wrong.'] : tableLines(some, columns)),
  ]
  const text = `${lines.join('\n')}\n\n-- \nopenfountain doctor --tell, on ${host}\n`
  const subject = `${host}: ${failed === undefined ? 'the registry needs attention' : `${failed} failed`}`
  try {
    await sendMail({ smtp, from }, { name: 'openfountain', to: operator, subject, text, language: 'en' })
    return undefined
  } catch (error) {
    if (error instanceof RegistryError) throw error
    return `the mail server answers ${error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'}`
  }
}

const doctor = command('doctor', {
  summary:
    'Tells what of an installation is not as it should be: files, clock, disk, copies, sources, photos, proxy.',
  more: 'It looks at Node, the settings, the database, the modes and owners of database, photos, secrets, settings and what is published, the clock, the room on the disk, the ages of the newest backup and of what is published, the sources that are stale, the files of photos that are missing or left over, and, as anybody could, at the address where browsers reach the server. It changes nothing; with --tell the operator is told what is wrong, and sources, webhooks and copies that failed. A line is ok, WARNING (worth a look, or it could not be looked at) or WRONG; exit code 8 says that something is wrong. Run it as the user of the services.',
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
    tell: flag('Tells the operator what is wrong and what failed: by mail, a webhook, or both'),
    operator: text('ADDRESS', 'The address of the operator; default nobody is told', {
      env: 'OPENFOUNTAIN_OPERATOR',
    }),
    webhook: text(
      'URL',
      'The https: address of a program of the operator, signed by the secret of openfountain webhook secret; default none',
      { env: 'OPENFOUNTAIN_OPERATOR_WEBHOOK' },
    ),
    ...deliveryOptions,
    failed: text('UNIT', 'A unit of systemd that failed, which the operator is told'),
    smtp: signInOptions.smtp,
    'mail-from': signInOptions['mail-from'],
  },
  examples: {
    'doctor /var/lib/openfountain': 'Looks at a registry that is served',
    'doctor lund --offline': 'Looks at one before there is a proxy',
    'doctor /var/lib/openfountain --tell': 'Mails the operator what is wrong, as a timer does every day',
    'doctor lund --json': 'Prints { "ok": …, "findings": [{ "subject", "state", "message" }] }',
  },
  async run({ folder: given, db, secrets, offline, ...telling }, context) {
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
    if (telling.tell) await tellOperator(findings, { ...telling, db: settings.db }, context)
    const wrong = findings.filter(({ state }) => state === 'wrong').length
    out.result({ ok: wrong === 0, findings }, () => tableLines(findings, columns))
    if (!out.json && wrong > 0)
      out.note(wrong === 1 ? 'One thing is not as it should be' : `${wrong} things are not as they should be`)
    return wrong === 0 ? 'done' : 'unwell'
  },
})

export const commands = [doctor]
