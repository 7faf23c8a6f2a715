import { command } from '../command.ts'
import { inert } from '../inert.ts'
import { databaseOption, durabilityOption, withRegistry } from '../settings.ts'
import { mirrorFailure } from '../wording/mirror.ts'

export const mirror = command({
  name: 'mirror',
  summary:
    'Builds and follows a copy of another instance’s registry from its public log, verifying every entry.',
  more: 'Run it again to follow; it goes on where it stopped, also after it was cut off. An instance that rewrote its history is refused with 4 and the first entry that differs. The database must be an empty one, or an earlier copy of the same registry. Reviews, XP and areas stay with the instance.',
  positionals: [{ name: 'URL', about: 'The instance, such as https://fountains.example' }],
  options: {
    ...databaseOption,
    ...durabilityOption,
    redactions: {
      type: 'flag',
      about: 'Reads the whole log again, for texts that were redacted since they were copied',
    },
  },
  examples: [
    {
      line: 'openfountain mirror https://fountains.example --db copy.db',
      does: 'Builds a copy, or brings it up to date',
    },
    {
      line: 'openfountain mirror https://fountains.example --db copy.db --redactions',
      does: 'Also takes away what the instance took away',
    },
  ],
  async run({ db, durability, redactions }, [url = ''], context) {
    const { mirrorRegistry } = await import('@openfountain/exchange')
    const { out } = context
    const stop = new AbortController()
    const abort = (): void => stop.abort()
    process.once('SIGINT', abort)
    process.once('SIGTERM', abort)
    try {
      await withRegistry({ db, durability }, 'create', context, async (registry) => {
        const bar = out.progress('Mirroring')
        const report = await mirrorRegistry(url, registry, {
          redactions,
          signal: stop.signal,
          onProgress: ({ done, total }) => bar.at(done, total),
        }).finally(() => bar.end())
        out.result(report, () => [
          `${report.entries.toLocaleString('en')} entries followed, ${report.redacted.toLocaleString('en')} redacted; the copy stands at ${report.head.id}:${report.head.hash}`,
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
