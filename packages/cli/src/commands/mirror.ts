import { usage, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag } from '../options.ts'
import { row } from '../row.ts'
import { durabilityOption, photosOption, regionsOption, writingOptions } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { mirrorFailure } from '../wording/mirror.ts'

/** @throws CommandError usage */
export function checkAddress(name: string, url: string): void {
  if (!/^https?:$/u.test(URL.parse(url)?.protocol ?? ''))
    throw usage(
      `${name} must be the http: or https: address of an instance, such as https://fountains.example`,
    )
}

/** Instances inside a network of one's own. */
export const privateOption = {
  'allow-private': flag(
    'Allows an instance whose name leads to a private network; one that is named by its private address needs no allowance',
  ),
}

const mirror = row('mirror', {
  summary:
    'Builds and follows a copy of another instance’s registry from its public log, verifying every entry.',
  more: 'Run it again to follow; it continues where it stopped, also after an interruption. An instance that rewrote its history is refused with exit code 4 and the first entry that differs. The database must be empty, or an earlier copy of the same registry. Texts that the instance redacted are removed from the copy, too. Nothing is taken over before all new entries are checked.',
  places: { url: 'The instance, such as https://fountains.example' },
  options: {
    ...writingOptions,
    ...regionsOption,
    ...durabilityOption,
    ...privateOption,
    ...photosOption,
  },
  examples: { 'mirror https://fountains.example --db copy.db': 'Builds a copy, or brings it up to date' },
  access: 'create',
  check: ({ url }) => checkAddress('URL', url),
  async call(registry, { url, 'allow-private': allowPrivate }, { out }) {
    const { mirrorRegistry } = await import('@openfountain/exchange')
    return interruptible((signal) =>
      out.during('Mirroring', (bar) =>
        mirrorRegistry(url, registry, {
          signal,
          allowPrivate,
          onProgress: ({ done, total }) => bar.at(done, total),
        }),
      ),
    ).catch(rethrown(mirrorFailure))
  },
  text: ({ entries, redacted, head, photos }, { url }) => [
    `${entries.toLocaleString('en')} entries copied, ${redacted.toLocaleString('en')} redacted; the copy is at ${head.id}:${head.hash}`,
    ...(photos === undefined
      ? []
      : [`${photos.fetched} files of photos fetched, ${photos.missing} are not shown there`]),
    `From ${inert(url)}`,
  ],
})

export const commands = [mirror]
