import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleScripts } from '../build/scripts.ts'
import type { Assets } from '../contribute/assets.ts'
import type { DeclaredField } from '../custom-fields.ts'
import { outboxWords } from '../contribute/outbox/words.ts'
import type { Messages } from '../messages.ts'

export interface AccountOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Address or path of the API. */
  readonly api: string
  /** The site's origin, if it is known. */
  readonly origin?: string | undefined
  readonly languages: readonly { readonly tag: string; readonly messages: Messages }[]
  /** The custom fields that the registry declares. */
  readonly custom: readonly DeclaredField[]
  /** The forms that correct refused submissions. */
  readonly forms: Assets & { readonly forms: string }
}

/** Addresses of the files of the account pages. */
export interface AccountFiles {
  readonly signIn: string
  readonly account: string
  readonly style: string
  /** The outbox: loaded once a user is signed in or a submission is stored. */
  readonly outbox: { readonly script: string; readonly style: string }
  /** The page of the user's own contributions. */
  readonly contributions: string
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** Whether the API has the site's own origin; identity providers redirect only there. */
  readonly isSameOrigin: boolean
}

/** Outside the folders that the service worker precaches: few visitors need these files, and never offline. */
const folder = 'accounts'

/** Bundles the scripts of the account pages, and writes the texts of the outbox. */
export async function bundleAccount({
  outDir,
  base,
  api,
  origin,
  languages,
  custom,
  forms,
}: AccountOptions): Promise<AccountFiles> {
  const address = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: {
      'sign-in': 'account/page/sign-in.tsx',
      own: 'account/page/account.tsx',
      outbox: 'contribute/outbox/page/begin',
      contributions: 'contribute/contributions/page.tsx',
    },
    styles: { 'account-page': 'account', 'outbox-parts': 'outbox' },
    define: {
      OUTBOX_WORDS: JSON.stringify(await writeWords(outDir, base, languages, custom)),
      FORMS: JSON.stringify(forms),
    },
    banner: '/* SimpleWebAuthn, MIT: https://github.com/MasterKale/SimpleWebAuthn */',
  })
  return {
    signIn: address('sign-in'),
    account: address('own'),
    style: address('account-page'),
    outbox: { script: address('outbox'), style: address('outbox-parts') },
    contributions: address('contributions'),
    api: api.replace(/\/+$/u, ''),
    isSameOrigin: api.startsWith('/') || new URL(api).origin === origin,
  }
}

/** Writes the texts of the outbox in each language. @returns the addresses by language tag */
async function writeWords(
  outDir: string,
  base: string,
  languages: AccountOptions['languages'],
  custom: AccountOptions['custom'],
): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {}
  await mkdir(join(outDir, folder), { recursive: true })
  for (const { tag, messages } of languages) {
    const text = JSON.stringify(outboxWords(messages, custom))
    const digest = createHash('sha256').update(text).digest('hex').slice(0, 8)
    const path = `${folder}/words-${tag}-${digest}.json`
    await writeFile(join(outDir, path), text)
    addresses[tag] = `${base}${path}`
  }
  return addresses
}
