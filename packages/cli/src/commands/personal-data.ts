import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RegistryError } from '@openfountain/core'
import type { Issue } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { usage, rethrown } from '../failure.ts'
import { inert, inertJsonText } from '../inert.ts'
import { checkFolders, writePrivately } from '../output-files.ts'
import { row } from '../row.ts'
import { databaseOption, powerOptions, withRegistry } from '../settings.ts'
import { text } from '../options.ts'

const places = { id: 'The user’s id' }

async function* documentOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield inertJsonText(piece)
  yield '\n'
}

const userExport = command('user export', {
  summary: 'Writes everything that the registry holds about a user, as one JSON document.',
  more: 'Their profile with the e-mail address, ways to sign in, sessions, tokens, reviews, and every entry of the log by them or about them, such as a block. Secrets are not in it: the registry does not have them. Users get the same document by themselves in their account.',
  places,
  options: {
    ...databaseOption,
    out: text('FILE', 'The file to write, for its owner alone (mode 0600); default standard output'),
  },
  examples: { 'user export ada --out ada.json': 'Writes what there is about Ada' },
  async run({ id, db, out: file }, context) {
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

function unconfirmed(error: unknown, id: string): unknown {
  const issues = error instanceof RegistryError ? (error.details['issues'] as Issue[] | undefined) : undefined
  if (issues?.some(({ path }) => path === 'confirm') !== true) return error
  return usage(
    `--confirm must be the name of user ${JSON.stringify(id)}, as openfountain user show prints it; nothing was erased`,
  )
}

const userErase = row('user erase', {
  also: ['user remove'],
  summary:
    'Erases a user for good: name, e-mail address, ways to sign in, sessions and tokens; it cannot be undone.',
  more: 'What they contributed stays under their id, without a name. With --texts erase, what they wrote is redacted from the log, too, except names of fountains. Users can do the same by themselves in their account. A block stays in force for their ways to sign in. Backups, exports and mirrors that were made before keep what they have: docs/privacy.md says what to do. When something still holds the texts, such as a program that is reading the database, the command says what, and exits with 17: end it, and run log scrub.',
  places,
  options: {
    ...powerOptions,
    confirm: text('NAME', 'The user’s name as user show prints it, as a safeguard', { required: true }),
    texts: text('WHAT', 'What happens to descriptions, comments and other texts that they wrote', {
      choices: ['keep', 'erase'],
      default: 'keep',
    }),
  },
  examples: {
    'user erase ada --confirm "Ada Byron"': 'Erases Ada, and keeps what she wrote',
    'user erase ada --confirm "Ada Byron" --texts erase': 'Erases Ada and what she wrote',
  },
  access: 'change',
  call: (registry, { id, confirm, texts }) =>
    registry.accounts.leave(id, { confirm, texts }).catch(rethrown((error) => unconfirmed(error, id))),
  json: (_result, { id, texts }) => ({ erased: id, texts }),
  text: (_result, { id, texts }) =>
    `User ${inert(id)} is erased; ${texts === 'keep' ? 'what they wrote stays without a name' : 'what they wrote is redacted'}`,
  note: () => 'Backups and exports that were made before still have them: make new ones',
})

export const commands = [userExport, userErase]
