import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isOnServer } from '@openfountain/core/internal'
import { keyBeside } from '@openfountain/telling'
import type { Split } from '@openfountain/tlog'
import { usage, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag, text } from '../options.ts'
import { writePrivately } from '../output-files.ts'
import { row } from '../row.ts'
import { durabilityOption, photosOption, regionsOption, writingOptions } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { keyOption, keysOf } from './log-proofs.ts'
import { writeSplit } from './witness.ts'
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
  more: 'Run it again to follow; it continues where it stopped, also after an interruption. An instance that rewrote its history is refused with exit code 4 and the first entry that differs. The database must be empty, or an earlier copy of the same registry. Texts that the instance redacted are removed from the copy, too. Nothing is taken over before all new entries are checked. With --key it is a witness: the checkpoint must be signed by that key and be that of the entries, the last one is kept, and of an instance that signed two histories a file split-….json, which log check checks.',
  places: { url: 'The instance, such as https://fountains.example' },
  options: {
    ...writingOptions,
    ...regionsOption,
    ...durabilityOption,
    ...privateOption,
    ...photosOption,
    ...keyOption,
    'checkpoint-file': text(
      'FILE',
      'With --key: where the last checkpoint of the log is kept; default NAME.checkpoint beside the database NAME.db',
    ),
  },
  examples: {
    'mirror https://fountains.example --db copy.db': 'Builds a copy, or brings it up to date',
    'mirror https://fountains.example --db copy.db --key "$(cat fountains.example.vkey)"':
      'Does so as a witness, which keeps evidence of two histories',
  },
  access: 'create',
  check({ url, db, key, 'checkpoint-file': file }) {
    checkAddress('URL', url)
    if (key.length > 0 && file === undefined && (db === ':memory:' || isOnServer(db)))
      throw usage('--checkpoint-file is needed with --key: a database on a server has no folder beside it')
  },
  async call(registry, { url, db, key, 'allow-private': allowPrivate, 'checkpoint-file': given }, { out }) {
    const { mirrorRegistry } = await import('@openfountain/exchange')
    const file = given ?? keyBeside(db, 'checkpoint')
    const watching = key.length > 0 && {
      keys: await keysOf(key),
      last: async () => (existsSync(file) ? readFile(file, 'utf8') : undefined),
      keep: async (note: string) => void (await writePrivately(file, [note])),
      split: (evidence: Split) => writeSplit(dirname(file), evidence),
    }
    return interruptible((signal) =>
      out.during('Mirroring', (bar) =>
        mirrorRegistry(url, registry, {
          signal,
          allowPrivate,
          ...(watching && { watching }),
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
