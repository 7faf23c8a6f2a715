import { readdir, readFile } from 'node:fs/promises'
import { happenedWords, kindNames } from '@openfountain/core/internal'
import { formatFor, type Messages } from '../messages.ts'
import type { SiteLanguage } from './context.ts'

const folder = new URL('../languages/', import.meta.url)

/** The tags of all available languages: one per file in languages/. English first, the others by tag. */
export async function availableLanguages(): Promise<string[]> {
  const names = await readdir(folder)
  const tags = names.flatMap((name) => /^([a-z]{2,3}(?:-[A-Za-z0-9]+)*)\.json$/u.exec(name)?.[1] ?? [])
  return tags.toSorted((a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1))
}

/** Loads languages by tag, in that order, with core's names of kinds and events, or those of the language's file. */
export async function loadLanguages(tags: readonly string[]): Promise<SiteLanguage[]> {
  return Promise.all(
    tags.map(async (tag) => {
      const read = JSON.parse(await readFile(new URL(`${tag}.json`, folder), 'utf8')) as Messages
      const amenity = { ...(kindNames as Partial<Record<string, object>>)[tag], ...read.amenity }
      const following = { ...(happenedWords as Partial<Record<string, object>>)[tag], ...read.following }
      return { tag, messages: { ...read, amenity, following }, format: formatFor(tag) }
    }),
  )
}
