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
  /** Where the site will be found, if that is known. */
  readonly origin?: string | undefined
  readonly languages: readonly { readonly tag: string; readonly messages: Messages }[]
  /** The custom fields that the registry declares. */
  readonly custom: readonly DeclaredField[]
  /** The forms, in which what was not accepted is corrected. */
  readonly forms: Assets & { readonly forms: string }
}

/** Addresses of what the pages of people's accounts load. */
export interface AccountFiles {
  readonly signIn: string
  readonly account: string
  readonly style: string
  /** Of the link in the header, which every page has. */
  readonly headerStyle: string
  /** Of what waits to be sent, loaded once somebody is signed in or something is kept. */
  readonly outbox: { readonly script: string; readonly style: string }
  /** Of the page of one's own contributions. */
  readonly contributions: string
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** Whether the API is at the site's own origin: providers lead back to it alone. */
  readonly isSameOrigin: boolean
}

/** Not in the folders that the service worker loads in advance: few visitors need it, and never without a network. */
const folder = 'accounts'

/** Bundles what the pages of people's accounts load, and writes the words of the outbox. */
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
      'sign-in': 'account/page/sign-in',
      own: 'account/page/account',
      outbox: 'contribute/outbox/page/begin',
      contributions: 'contribute/contributions/page',
    },
    styles: { 'account-page': 'account', 'outbox-parts': 'outbox' },
    define: {
      OUTBOX_WORDS: JSON.stringify(await writeWords(outDir, base, languages, custom)),
      FORMS: JSON.stringify(forms),
    },
    banner: '/* SimpleWebAuthn, MIT: https://github.com/MasterKale/SimpleWebAuthn */',
  })
  // Every page has it: the service worker loads this folder in advance.
  const inHeader = await bundleScripts({
    outDir,
    base,
    folder: '_astro',
    styles: { 'account-link': 'account-link' },
  })
  return {
    signIn: address('sign-in'),
    account: address('own'),
    style: address('account-page'),
    headerStyle: inHeader('account-link'),
    outbox: { script: address('outbox'), style: address('outbox-parts') },
    contributions: address('contributions'),
    api: api.replace(/\/+$/u, ''),
    isSameOrigin: api.startsWith('/') || new URL(api).origin === origin,
  }
}

/** Writes what the outbox says in each language. @returns the addresses by language tag */
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
