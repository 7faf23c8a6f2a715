import { setTimeout as pause } from 'node:timers/promises'
import { RegistryError, type Registry, type Source } from '@openfountain/core'
import { acceptances } from '@openfountain/core/internal'
import type { Harvested } from '@openfountain/exchange'
import { command, type Context } from '../command.ts'
import type { ExitName } from '../exit-codes.ts'
import { describeFailure } from '../failure-report.ts'
import { CommandError } from '../failure.ts'
import { inert } from '../inert.ts'
import { quoted, sourceNamed } from '../licence-advice.ts'
import { flag, list, oneOf } from '../options.ts'
import {
  durabilityOption,
  propertiesOption,
  regionsOption,
  registryLicenseOption,
  withRegistry,
  writingOptions,
} from '../settings.ts'
import { interruptible } from '../signals.ts'
import { concernText, phaseNames } from '../wording/import.ts'

const lookEvery = 60

type Named = Harvested & { readonly source: string }

export function harvestText({ outcome, reason, status, message, ...harvest }: Omit<Named, 'source'>): string {
  const { read, added, changed, missing, refused } = harvest
  const counts = `${read} read, ${added} added, ${changed} changed, ${missing} no longer listed, ${refused} refused`
  const why = inert(message ?? reason ?? '')
  switch (outcome) {
    case 'imported':
      return why === '' ? counts : `${counts}; ${why}`
    case 'unchanged':
      return status === 304 ? 'unchanged, its host says' : 'unchanged'
    case 'stopped':
      return `stopped: ${why}; it would be ${counts}`
    case 'failed':
      return `failed: ${why}`
  }
}

function exitOf({ outcome, reason }: Harvested): ExitName | undefined {
  if (outcome === 'stopped') return 'notAccepted'
  if (outcome !== 'failed') return undefined
  if (reason === 'file') return 'unreadable'
  return reason === 'registry' ? 'refused' : 'unreachable'
}

interface Harvesting {
  readonly accept: readonly string[]
  readonly anew: boolean
}

/** Harvests one source. @returns undefined while another process does */
async function harvested(
  registry: Registry,
  { id, name }: Pick<Source, 'id' | 'name'>,
  given: Harvesting,
  { out, env }: Context,
  signal: AbortSignal,
): Promise<Named | undefined> {
  const { harvestSource } = await import('@openfountain/exchange')
  const { accept, anew } = given
  try {
    const result = await out.during(`Harvesting ${name}`, (bar) =>
      harvestSource(registry, id, {
        env,
        anew,
        accept: accept.map((word) => oneOf(acceptances).reads('--accept', word)),
        worded: concernText,
        signal,
        onRedirect: (url) => out.note(`${quoted(name)} leads to ${inert(url)}`),
        onProgress: (step, done, total) => bar.at(done, total, phaseNames[step]),
      }),
    )
    return { source: name, ...result }
  } catch (error) {
    const facts = error instanceof RegistryError ? error.details : undefined
    if (facts?.['state'] === 'harvesting') return undefined
    if (facts?.['thing'] !== 'schedule') throw error
    const message = `${quoted(name)} has no address: openfountain source add gives it one, by --url`
    throw new CommandError('notFound', message, 'NOT_FOUND')
  }
}

async function* due(registry: Registry, given: Harvesting, context: Context, signal: AbortSignal) {
  for (const { id } of await registry.harvests.due()) {
    if (signal.aborted) return
    const source = await registry.sources.get(id)
    const result = await harvested(registry, source, given, context, signal)
    if (result !== undefined) yield result
  }
}

const withoutReport = ({ report: _report, ...harvest }: Named) => harvest

const harvest = command('harvest', {
  summary: 'Fetches and imports the sources whose time has come, or those that are named.',
  more: 'Sources have an address by openfountain source add. What did not change is not fetched again. A harvest that would take away or take back more than an import may stops before it writes; look at it with openfountain source runs, and name the source with --accept. What fails is tried again later. Two processes never harvest the same source at once, and one that was killed is continued. Run it by a timer, or with --watch.',
  places: {
    names: { about: 'Sources to harvest now, due or not; default what is due', rest: true },
  },
  options: {
    ...writingOptions,
    ...durabilityOption,
    ...regionsOption,
    ...registryLicenseOption,
    ...propertiesOption,
    accept: list('WHAT', 'Does not stop for it: shrink, older, partial, as openfountain import'),
    anew: flag('Fetches and imports also what did not change, such as after an import was undone'),
    watch: flag('Goes on: looks every minute for what is due'),
  },
  examples: {
    harvest: 'Harvests what is due',
    'harvest "City of Lund"': 'Harvests this source now',
    'harvest "City of Lund" --accept shrink': 'Also if it lists far fewer fountains than before',
    'harvest --watch': 'Harvests what is due, until it is stopped',
  },
  async run({ names, ...given }, context) {
    const { out } = context
    for (const word of given.accept) oneOf(acceptances).reads('--accept', word)
    if (given.watch && names.length > 0)
      throw new CommandError('usage', '--watch harvests what is due, and takes no names', 'USAGE')
    return interruptible((signal) =>
      withRegistry(given, 'change', context, async (registry): Promise<ExitName | undefined> => {
        const all: Named[] = []
        const tell = (result: Named): void => {
          all.push(result)
          const line = `${quoted(result.source)}: ${harvestText(result)}`
          if (given.watch) out.result(withoutReport(result), () => [line])
          else if (!out.json) out.line(line)
        }
        for (const wanted of names) {
          const name = await sourceNamed(registry, wanted)
          const source = await registry.sources.named(name)
          const result = source && (await harvested(registry, source, given, context, signal))
          if (result === undefined)
            throw new CommandError('busy', `${quoted(name)} is harvested by another process`, 'HARVESTING')
          tell(result)
        }
        while (names.length === 0 && !signal.aborted) {
          try {
            for await (const result of due(registry, given, context, signal)) tell(result)
          } catch (error) {
            // A server of a database may be away for a while.
            if (!given.watch || signal.aborted) throw error
            out.note(`It is tried again: ${describeFailure(error).message}`)
          }
          if (!given.watch) break
          all.length = 0
          await pause(lookEvery * 1000, undefined, { signal }).catch(() => undefined)
        }
        if (given.watch) return undefined
        out.result({ harvests: all.map(withoutReport) }, () => [all.length === 0 && 'Nothing is due'])
        return all.map(exitOf).find((exit) => exit !== undefined)
      }),
    )
  },
})

export const commands = [harvest]
