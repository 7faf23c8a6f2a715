import type { Page } from 'playwright-core'
import { ofTheBrowser } from './chromium.ts'

export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    if (['error', 'warning'].includes(message.type()) && !ofTheBrowser.test(text)) complaints.push(text)
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
