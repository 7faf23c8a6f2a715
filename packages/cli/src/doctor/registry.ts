import type { Registry } from '@openfountain/core'
import { harvesting as rules } from '@openfountain/core/rules'
import { agesOfCopies } from '@openfountain/server'
import type { Context } from '../command.ts'
import { describeFailure } from '../failure-report.ts'
import { quoted } from '../licence-advice.ts'
import { withRegistry } from '../settings.ts'
import { durationText, limits, ok, warning, wrong, type Finding, type Subject } from './finding.ts'
import type { Settings } from './settings.ts'

async function newestTime(registry: Registry, id: number): Promise<string | undefined> {
  for await (const { at } of registry.changes.since(Math.max(0, id - 1))) return at
  return undefined
}

/** Sets the variables of PostgreSQL and of buckets in the services' settings in this process. */
function connectAs({ variables, passwords }: Settings): void {
  const own = Object.entries(variables).filter(([name]) => /^(?:PG[A-Z]+|AWS_[A-Z_]+)$/u.test(name))
  Object.assign(process.env, Object.fromEntries(own), passwords && { PGPASSFILE: passwords })
}

/** Findings about the sources with an address: those that could not be harvested, or that nobody harvests. */
export async function sourceFindings(
  registry: Pick<Registry, 'sources'>,
  now = Date.now(),
): Promise<Finding[]> {
  const harvested = (await registry.sources.list()).flatMap(({ name, harvesting }) =>
    harvesting === undefined || harvesting.every === 'never' ? [] : [{ name, ...harvesting }],
  )
  const found = harvested.flatMap(({ name, every, nextAt, staleSince, harvests: [last] }) => {
    if (every === 'never') return []
    const allowed = rules.every[every] * 60_000
    const remedy = `openfountain source runs ${quoted(name)} says why`
    if (staleSince !== undefined) {
      const text = `${quoted(name)} is stale since ${staleSince} (${last?.reason ?? 'failed'}): ${remedy}`
      return [(now - Date.parse(staleSince) > 2 * allowed ? wrong : warning)('sources', text)]
    }
    if (nextAt === undefined || now - Date.parse(nextAt) <= allowed) return []
    const late = `${quoted(name)} was due at ${nextAt}: run openfountain harvest, and look why its timer does not`
    return [wrong('sources', late)]
  })
  if (harvested.length === 0 || found.length > 0) return found
  return [ok('sources', `${harvested.length} harvested, none is stale`)]
}

/** Findings about webhooks: those that are switched off or do not answer, or all after a restore. */
async function webhookFindings({ webhooks: hooks }: Registry): Promise<Finding[]> {
  const { webhooks, isPaused } = await hooks.state()
  const paused =
    'Nothing is sent, to webhooks and by mail, since the database was restored or copied: run openfountain deliveries resume, where it is the one that sends'
  if (isPaused) return [wrong('webhooks', paused)]
  if (webhooks.length === 0) return []
  const found = webhooks.flatMap(({ id, url, disabledAt, attempts, lastError, kept }) => {
    const why = `${new URL(url).host} (${id}, ${lastError ?? 'no answer yet'})`
    const off = `${why} is off since ${disabledAt}: openfountain webhook resend ${id} switches it on again`
    if (disabledAt !== undefined) return [wrong('webhooks', off)]
    if (attempts > 0) return [warning('webhooks', `${why} is tried again: openfountain webhook deliveries`)]
    return kept.length === 0
      ? []
      : [warning('webhooks', `${why} refused ${kept.length} events: openfountain webhook resend ${id}`)]
  })
  return found.length > 0 ? found : [ok('webhooks', `${webhooks.length} are told what happens`)]
}

export async function databaseFinding(
  settings: Settings,
  context: Context,
): Promise<{
  readonly finding: Finding
  readonly newest?: string | undefined
  readonly sources?: readonly Finding[]
}> {
  connectAs(settings)
  const { db } = settings
  try {
    return await withRegistry({ db }, 'read', context, async (registry) => {
      const { id } = await registry.head()
      const [problem] = await registry.schemaProblems()
      const { database } = registry
      const finding =
        problem === undefined
          ? ok('database', `${database}: ${id.toLocaleString('en')} entries in the log`)
          : wrong('database', `${database} ${problem}: make a whole one with openfountain copy`)
      return {
        finding,
        newest: await newestTime(registry, id),
        sources: [...(await sourceFindings(registry)), ...(await webhookFindings(registry))],
      }
    })
  } catch (error) {
    return { finding: wrong('database', describeFailure(error).message) }
  }
}

export async function photoFindings(settings: Settings, context: Context): Promise<Finding[]> {
  const { db, photos } = settings
  try {
    return await withRegistry({ db, photos }, 'read', context, async (registry) => {
      if (!registry.photos.areKept)
        return [warning('photos', 'There is no place for photos: set OPENFOUNTAIN_PHOTOS')]
      const { files, missing, unnamed } = await registry.photos.survey()
      const place = `${photos}`
      const lost = `${missing} of ${files} files are missing in ${place}: openfountain log verify --photos names them, a backup or a mirror has them`
      const spare = `${unnamed} files in ${place} belong to no photo: openfountain photo sweep deletes them`
      const findings = [missing > 0 && wrong('photos', lost), unnamed > 0 && warning('photos', spare)]
      const found = findings.filter((finding) => finding !== false)
      return found.length > 0 ? found : [ok('photos', `${files} files in ${place}`)]
    })
  } catch (error) {
    return [wrong('photos', describeFailure(error).message)]
  }
}

function ageFinding(
  subject: Subject,
  age: number | null | undefined,
  { most, variable, remedy }: { readonly most: number; readonly variable: string; readonly remedy: string },
): Finding {
  if (age === undefined) return warning(subject, `Nobody knows how old it is: set ${variable} to its folder`)
  if (age === null) return wrong(subject, `There is none yet: ${remedy}`)
  const text = `${durationText(age)} old`
  return age <= most ? ok(subject, text) : wrong(subject, `${text}: ${remedy}`)
}

export async function copyFindings(settings: Settings, now = Date.now()): Promise<Finding[]> {
  const { backupAgeSeconds, publicationAgeSeconds } = await agesOfCopies(settings, now)
  return [
    ageFinding('backup', backupAgeSeconds, {
      most: limits.backupSeconds,
      variable: 'OPENFOUNTAIN_BACKUPS',
      remedy: 'run openfountain backup, and look why its timer does not',
    }),
    ageFinding('publication', publicationAgeSeconds, {
      most: limits.publicationSeconds,
      variable: 'OPENFOUNTAIN_SITE',
      remedy: 'run openfountain publish, and look why its timer does not',
    }),
  ]
}
