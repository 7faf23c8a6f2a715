import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { durabilityOption, regionsOption, withRegistry, writingOptions } from '../settings.ts'
import { mirrorFailure } from '../wording/mirror.ts'

/** @throws CommandError usage */
export function checkAddress(name: string, url: string): void {
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? ''))
    throw usage(
      `${name} must be the http: or https: address of an instance, such as https://fountains.example`,
    )
}

export const mirror = command({
  name: 'mirror',
  summary:
    'Builds and follows a copy of another instance’s registry from its public log, verifying every entry.',
  more: 'Run it again to follow; it continues where it stopped, also after an interruption. An instance that rewrote its history is refused with exit code 4 and the first entry that differs. The database must be empty, or an earlier copy of the same registry. Texts that the instance redacted are removed from the copy, too. Nothing is taken over before all new entries are checked.',
  positionals: [{ name: 'URL', about: 'The instance, such as https://fountains.example' }],
  options: {
    ...writingOptions,
    ...regionsOption,
    ...durabilityOption,
  },
  examples: [
    {
      line: 'openfountain mirror https://fountains.example --db copy.db',
      does: 'Builds a copy, or brings it up to date',
    },
  ],
  async run(options, [url = ''], context) {
    checkAddress('URL', url)
    const { mirrorRegistry } = await import('@openfountain/exchange')
    const { out } = context
    const stop = new AbortController()
    const abort = (): void => stop.abort()
    process.once('SIGINT', abort)
    process.once('SIGTERM', abort)
    try {
      await withRegistry(options, 'create', context, async (registry) => {
        const bar = out.progress('Mirroring')
        const report = await mirrorRegistry(url, registry, {
          signal: stop.signal,
          onProgress: ({ done, total }) => bar.at(done, total),
        }).finally(() => bar.end())
        out.result(report, () => [
          `${report.entries.toLocaleString('en')} entries copied, ${report.redacted.toLocaleString('en')} redacted; the copy is at ${report.head.id}:${report.head.hash}`,
          `From ${inert(url)}`,
        ])
      })
    } catch (error) {
      throw await mirrorFailure(error)
    } finally {
      process.off('SIGINT', abort)
      process.off('SIGTERM', abort)
    }
  },
})
