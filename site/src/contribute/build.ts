import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Rules } from '@openfountain/core'
import { bundleScripts } from '../build/scripts.ts'
import type { Messages } from '../messages.ts'
import type { DeclaredField } from '../custom-fields.ts'
import { contributeWords } from './words.ts'

export interface ContributeOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  readonly languages: readonly { readonly tag: string; readonly messages: Messages }[]
  readonly rules: Rules
  /** The custom fields that the registry declares. */
  readonly custom: readonly DeclaredField[]
}

/** Addresses of the files of pages with contribution forms. */
export interface ContributeFiles {
  /** The small script for every visitor; the forms load with the first tap. */
  readonly start: string
  /** The forms, which other scripts load as well. */
  readonly forms: string
  readonly style: string
  /** Changes with the texts of any language. */
  readonly version: string
}

const folder = 'contribute'

/** Bundles the forms under names that change with their content, and writes the texts of each language. */
export async function bundleContribute({
  outDir,
  base,
  languages,
  rules,
  custom,
}: ContributeOptions): Promise<ContributeFiles> {
  const forms = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: { forms: 'contribute/open' },
    styles: { contribute: 'contribute' },
  })
  // In a bundle of its own, so that it shares no chunk with the forms, which few visitors need.
  const start = await bundleScripts({
    outDir,
    base,
    folder,
    scripts: { start: 'contribute/start' },
    define: { CONTRIBUTE_FORMS: JSON.stringify(`./${basename(forms('forms'))}`) },
    external: ['./forms-*'],
  })
  const digest = createHash('sha256')
  for (const { tag, messages } of languages) {
    const text = JSON.stringify(contributeWords(messages, rules, custom))
    digest.update(text)
    await writeFile(join(outDir, folder, `${tag}.json`), text)
  }
  return {
    start: start('start'),
    forms: forms('forms'),
    style: forms('contribute'),
    version: digest.digest('hex').slice(0, 12),
  }
}
