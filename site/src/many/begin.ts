import { announce } from '../client/announce.ts'
import { settingOfPage } from '../contribute/setting.ts'
import type { Row } from '../explore/data.ts'
import { fountainsIn } from './box.tsx'
import { openMany } from './panel.tsx'

/** The buttons with which moderators choose many fountains: over the map, and beside the chosen data. */
async function begin(): Promise<void> {
  const setting = await settingOfPage()
  const { map, visitor, words } = setting
  if (typeof visitor !== 'object' || !visitor.isModerator) return
  map?.withMap(() =>
    map.addButton({
      id: 'many',
      icon: 'listed',
      label: words.many.select,
      press: () => void fountainsIn(setting, map).then((found) => found && openMany(setting, found)),
    }),
  )
  const beside = document.querySelector('#explore .actions')
  if (!beside) return
  const button = document.createElement('button')
  button.type = 'button'
  button.id = 'many'
  button.className = 'button button-quiet'
  button.textContent = words.many.title
  button.addEventListener('click', () =>
    announce('openfountain:chosen', (rows: readonly Row[]) =>
      openMany(
        setting,
        rows.map(({ id, name }) => ({ id: Number(id), name: String(name) })),
      ),
    ),
  )
  beside.append(button)
}

void begin()
