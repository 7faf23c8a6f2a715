import type { Labels } from '../build/labels.ts'
import { siteOfPage } from '../api/site.ts'

const read = new Map<string, Promise<unknown>>()

/** A file of texts, read once; after a failure the next call tries again. @throws Error when it cannot be read */
export function readTexts<Texts>(file: string): Promise<Texts> {
  const texts = (read.get(file) ?? fetchJson(`${siteOfPage().base}languages/${file}.json`)) as Promise<Texts>
  read.set(file, texts)
  texts.catch(() => read.delete(file))
  return texts
}

async function fetchJson(address: string): Promise<unknown> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`${address} returned ${response.status}`)
  return response.json()
}

export const labelsOf = (tag: string): Promise<Labels> => readTexts(tag)
