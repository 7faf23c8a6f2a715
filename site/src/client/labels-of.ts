import type { Labels } from '../build/labels.ts'

const read = new Map<string, Promise<Labels>>()

/** The texts of labels in a language, read once. @throws when they cannot be read */
export function labelsOf(tag: string): Promise<Labels> {
  const labels = read.get(tag) ?? readLabels(tag)
  read.set(tag, labels)
  labels.catch(() => read.delete(tag))
  return labels
}

async function readLabels(tag: string): Promise<Labels> {
  const response = await fetch(`${document.documentElement.dataset['base'] ?? '/'}languages/${tag}.json`)
  if (!response.ok) throw new Error(`There are no labels in ${tag}`)
  return (await response.json()) as Labels
}
