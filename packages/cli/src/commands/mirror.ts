import { usage, rethrown, CommandError } from '../failure.ts'
import { inert } from '../inert.ts'
import { witnessFolder, storeIn, witnessKey } from '../log-keys.ts'
import { flag, text } from '../options.ts'
import { row } from '../row.ts'
import { durabilityOption, photosOption, regionsOption, writingOptions } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { keyOption, keysOf } from './log-proofs.ts'
import type { InstanceErrorCode, InstanceFailure } from '@openfountain/exchange'

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

/** A mirror as a witness, in its folder. @throws CommandError usage */
async function watchingIn(folder: string | undefined, given: readonly string[], name: string | undefined) {
  if (folder === undefined)
    throw usage('OPENFOUNTAIN_WITNESS is needed with --key: a database on a server has no folder beside it')
  const [keys, key] = [await keysOf(given), await witnessKey(folder, '--witness-name', name)]
  return { keys, key, store: storeIn([...keys, key.verifier], () => folder) }
}

export const commands = [
  row('mirror', {
    summary:
      'Builds and follows a copy of another instance’s registry from its public log, verifying every entry.',
    more: 'Run it again to follow; it continues where it stopped, also after an interruption. An instance that rewrote its history is refused with exit code 4 and the first entry that differs. The database must be empty, or an earlier copy of the same registry. Texts that the instance redacted are removed from the copy, too. Nothing is taken over before all new entries are checked. With --key it is a witness: it takes what that key has signed, and cosigns it with a key of its own, which is made in the folder NAME.witness beside the database NAME.db, or that of OPENFOUNTAIN_WITNESS. The API and exports of the copy have the checkpoint with both signatures. Of an instance that signed two histories the folder gets a file split-….json, which log check checks.',
    places: { url: 'The instance, such as https://fountains.example' },
    options: {
      ...writingOptions,
      ...regionsOption,
      ...durabilityOption,
      ...privateOption,
      ...photosOption,
      ...keyOption,
      'witness-name': text(
        'NAME',
        'With --key: the name of the witness, such as mirror.example; needed once',
      ),
    },
    examples: {
      'mirror https://fountains.example --db copy.db': 'Builds a copy, or brings it up to date',
      'mirror https://fountains.example --db copy.db --key "$(cat fountains.example.vkey)" --witness-name mirror.example':
        'Does so as a witness, which cosigns the log and keeps evidence of two histories',
    },
    access: 'create',
    check: ({ url }) => checkAddress('URL', url),
    async call(registry, given, { out, env }) {
      const { mirrorRegistry } = await import('@openfountain/exchange')
      const { url, db, key, 'allow-private': allowPrivate, 'witness-name': name } = given
      const watching = key.length > 0 && (await watchingIn(witnessFolder(db, env), key, name))
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
    text: ({ entries, redacted, head, photos, cosigned }, { url }) => [
      `${entries.toLocaleString('en')} entries copied, ${redacted.toLocaleString('en')} redacted; the copy is at ${head.id}:${head.hash}`,
      cosigned !== undefined && `Cosigned up to ${cosigned.toLocaleString('en')} entries`,
      ...(photos === undefined
        ? []
        : [`${photos.fetched} files of photos fetched, ${photos.missing} are not shown there`]),
      `From ${inert(url)}`,
    ],
  }),
]

const texts: { readonly [Code in InstanceErrorCode]: (failure: InstanceFailure<Code>) => string } = {
  UNREACHABLE: ({ url, message }) => (message.includes(url) ? '' : `${url} cannot be reached: `) + message,
  BAD_STATUS: ({ url, status }) => `${url} returned ${status}: is this the address of an instance?`,
  REDIRECTED: ({ url, location }) =>
    `${url} leads to ${location}, which is not followed: give that address if you trust it`,
  TOO_LARGE: ({ url, bytes }) => `${url} returns more than ${bytes.toLocaleString('en')} bytes`,
  TOO_SLOW: ({ url, seconds }) => `${url} was not complete after ${seconds.toLocaleString('en')} seconds`,
  BAD_RESPONSE: ({ url, issues }) =>
    `${url} does not return what is expected: ${issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ')}`,
}

export function instanceText<Code extends InstanceErrorCode>(failure: InstanceFailure<Code>): string {
  const text: (given: InstanceFailure<Code>) => string = texts[failure.code]
  return text(failure)
}

export async function mirrorFailure(error: unknown): Promise<unknown> {
  const { InstanceError } = await import('@openfountain/exchange')
  if (!(error instanceof InstanceError)) return error
  return new CommandError('unreachable', instanceText(error.failure), 'INSTANCE_ERROR', { ...error.failure })
}
