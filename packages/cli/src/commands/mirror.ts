import { command } from '../command.ts'
import { usage, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { durabilityOption, regionsOption, withRegistry, writingOptions } from '../settings.ts'
import { stoppable } from '../signals.ts'
import { mirrorFailure } from '../wording/mirror.ts'

/** @throws CommandError usage */
export function checkAddress(name: string, url: string): void {
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? ''))
    throw usage(
      `${name} must be the http: or https: address of an instance, such as https://fountains.example`,
    )
}

const mirror = command('mirror', {
  summary:
    'Builds and follows a copy of another instance’s registry from its public log, verifying every entry.',
  more: 'Run it again to follow; it continues where it stopped, also after an interruption. An instance that rewrote its history is refused with exit code 4 and the first entry that differs. The database must be empty, or an earlier copy of the same registry. Texts that the instance redacted are removed from the copy, too. Nothing is taken over before all new entries are checked.',
  places: { url: 'The instance, such as https://fountains.example' },
  options: {
    ...writingOptions,
    ...regionsOption,
    ...durabilityOption,
  },
  examples: {
    'mirror https://fountains.example --db copy.db': 'Builds a copy, or brings it up to date',
  },
  async run({ url, ...given }, context) {
    checkAddress('URL', url)
    const { mirrorRegistry } = await import('@openfountain/exchange')
    const { out } = context
    await stoppable((signal) =>
      withRegistry(given, 'create', context, async (registry) => {
        const report = await out.during('Mirroring', (bar) =>
          mirrorRegistry(url, registry, { signal, onProgress: ({ done, total }) => bar.at(done, total) }),
        )
        out.result(report, () => [
          `${report.entries.toLocaleString('en')} entries copied, ${report.redacted.toLocaleString('en')} redacted; the copy is at ${report.head.id}:${report.head.hash}`,
          `From ${inert(url)}`,
        ])
      }),
    ).catch(rethrown(mirrorFailure))
  },
})

export const commands = [mirror]
