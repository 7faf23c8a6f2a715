import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RegistryError, type Issue } from '@openfountain/core'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { inert, inertJsonText } from '../inert.ts'
import { checkFolders } from '../output-files.ts'
import { databaseOption, powerOptions, withRegistry } from '../settings.ts'

const userPositional = { name: 'ID', about: 'The user’s id' } as const

/** Writes a file atomically, for its owner alone. */
async function writePrivately(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`
  // A file left by an interrupted run may have a wider mode.
  await rm(part, { force: true })
  try {
    await pipeline(pieces, createWriteStream(part, { mode: 0o600, flags: 'wx' }))
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* documentOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield inertJsonText(piece)
  yield '\n'
}

export const userExport = command({
  name: 'user export',
  summary: 'Writes everything that the registry holds about a user, as one JSON document.',
  more: 'Their profile with the e-mail address, ways to sign in, sessions, tokens, reviews, and every entry of the log by them or about them, such as a block. Secrets are not in it: the registry does not have them. Users get the same document by themselves in their account.',
  positionals: [userPositional],
  options: {
    ...databaseOption,
    out: {
      type: 'text',
      value: 'FILE',
      about: 'The file to write, for its owner alone (mode 0600); default standard output',
    },
  },
  examples: [{ line: 'openfountain user export ada --out ada.json', does: 'Writes what there is about Ada' }],
  async run({ db, out: file }, [id = ''], context) {
    checkFolders({ out: file })
    await withRegistry({ db }, 'read', context, async (registry) => {
      // Fails before a file is touched.
      await registry.users.profile(id)
      const pieces = documentOf(registry.accounts.export(id))
      if (file === undefined) {
        await pipeline(Readable.from(pieces), process.stdout, { end: false })
        return
      }
      await writePrivately(file, pieces)
      context.out.result({ file }, () => [`Written to ${inert(file)}, readable for its owner alone`])
    })
  },
})

/** The refusal of a confirmation, with its option. */
function unconfirmed(error: unknown, id: string): unknown {
  const issues = error instanceof RegistryError ? (error.details['issues'] as Issue[] | undefined) : undefined
  if (issues?.some(({ path }) => path === 'confirm') !== true) return error
  return usage(
    `--confirm must be the name of user ${JSON.stringify(id)}, as openfountain user show prints it; nothing was erased`,
  )
}

export const userErase = command({
  name: 'user erase',
  also: ['user remove'],
  summary:
    'Erases a user for good: name, e-mail address, ways to sign in, sessions and tokens; it cannot be undone.',
  more: 'What they contributed stays under their id, without a name. With --texts erase, what they wrote is redacted from the log, too, except names of fountains. Users can do the same by themselves in their account. A block stays in force for their ways to sign in. Backups, exports and mirrors that were made before keep what they have: docs/privacy.md says what to do. When something still holds the texts, such as a program that is reading the database, the command says what, and exits with 17: end it, and run log scrub.',
  positionals: [userPositional],
  options: {
    ...powerOptions,
    confirm: {
      type: 'text',
      value: 'NAME',
      required: true,
      about: 'The user’s name as user show prints it, as a safeguard',
    },
    texts: {
      type: 'text',
      value: 'WHAT',
      choices: ['keep', 'erase'],
      default: 'keep',
      about: 'What happens to descriptions, comments and other texts that they wrote',
    },
  },
  examples: [
    {
      line: 'openfountain user erase ada --confirm "Ada Byron"',
      does: 'Erases Ada, and keeps what she wrote',
    },
    {
      line: 'openfountain user erase ada --confirm "Ada Byron" --texts erase',
      does: 'Erases Ada and what she wrote',
    },
  ],
  async run({ confirm, texts, ...options }, [id = ''], context) {
    await withRegistry(options, 'change', context, async (registry) => {
      await registry.accounts.leave(id, { confirm, texts }).catch((error: unknown) => {
        throw unconfirmed(error, id)
      })
      context.out.result({ erased: id, texts }, () => [
        `User ${inert(id)} is erased; ${texts === 'keep' ? 'what they wrote stays without a name' : 'what they wrote is redacted'}`,
      ])
      if (!context.out.json)
        context.out.note('Backups and exports that were made before still have them: make new ones')
    })
  },
})
