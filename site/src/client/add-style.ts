const added = new Map<string, Promise<unknown>>()

/** Adds a style sheet that few visitors need, once. Pages work without it, too. */
export function addStyle(address: string): Promise<unknown> {
  const known = added.get(address)
  if (known) return known
  const adding = new Promise((resolve) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = address
    for (const type of ['load', 'error']) link.addEventListener(type, resolve, { once: true })
    document.head.append(link)
  })
  added.set(address, adding)
  return adding
}
