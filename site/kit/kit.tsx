import '../src/styles/tokens.css'
import '../src/styles/base.css'
import '../src/styles/ui.css'
import '../src/styles/header.css'
import '../src/styles/contribute.css'
import { render, type ComponentChildren } from 'preact'
import { Badge } from '../src/ui/badge.tsx'
import { Button } from '../src/ui/button.tsx'
import { isAgreed, openDialog } from '../src/ui/dialog.tsx'
import { Choices, Field, filled, Flag, Form, Rating, Select, Toggles, wrongFields } from '../src/ui/form.tsx'
import { Icon } from '../src/ui/icon.tsx'
import { List } from '../src/ui/list.tsx'
import { Failure, Instead } from '../src/ui/opened.tsx'
import { Problem } from '../src/ui/problem.tsx'
import { tell, Toast } from '../src/ui/toast.tsx'

const piece = (title: string, content: ComponentChildren) => (
  <section class="section" key={title}>
    <h2>{title}</h2>
    {content}
  </section>
)

function theme(name: string | undefined): void {
  if (name === undefined) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = name
}

const kinds = ['main', 'quiet', 'danger', 'text'] as const
const options = ['Monday', 'Tuesday'].map((label) => ({ value: label, label, icon: 'tap' }))
const status = document.body.appendChild(document.createElement('p'))
status.className = 'visually-hidden'
status.role = 'status'
const tones = [undefined, 'verified', 'accent', 'warm', 'danger'] as const

render(
  <>
    <header class="page-head">
      <h1>The kit</h1>
      <p class="lead">Every part that pages, forms and lists are made of.</p>
      <p class="actions">
        <Button kind="quiet" isSmall text="Light" onPress={() => theme('light')} />
        <Button kind="quiet" isSmall text="Dark" onPress={() => theme('dark')} />
        <Button kind="quiet" isSmall text="As the system" onPress={() => theme(undefined)} />
      </p>
    </header>
    {piece(
      'Button and link',
      <div class="stack-3">
        <p class="actions">
          {kinds.map((kind) => (
            <Button key={kind} kind={kind} text={kind} />
          ))}
          <Button text="With an icon" icon="map" />
          <Button kind="quiet" text="With a key" shortcut="u" />
          <Button kind="quiet" text="Chosen" isPressed />
        </p>
        <p class="actions">
          <Button isSmall text="Small" />
          <Button kind="quiet" isSmall text="Small and quiet" icon="share" />
          <Button kind="quiet" href="#kit" text="A link as a button" />
          <a class="chip" href="#kit">
            <Icon name="feed" />
            Chip
          </a>
          <a class="chip" href="#kit" aria-current="page">
            Current chip
          </a>
          <button class="icon-button" type="button" aria-label="Close">
            <Icon name="close" />
          </button>
          <a href="#kit">A link</a>
        </p>
      </div>,
    )}
    {piece(
      'Icon',
      <p class="row">
        {['tap', 'water', 'verified', 'reported', 'broken', 'next', 'list'].map((name) => (
          <span key={name} class="with-icon">
            <Icon name={name} /> {name}
          </span>
        ))}
      </p>,
    )}
    {piece(
      'Dialog and question',
      <p class="actions">
        <Button
          id="open-dialog"
          text="Dialog"
          onPress={() => void openDialog({ title: 'A dialog', content: <p>Its content.</p>, close: 'Close' })}
        />
        <Button
          id="open-question"
          kind="quiet"
          text="Question"
          onPress={() => void isAgreed('Remove it?', { yes: 'Remove', no: 'Cancel' })}
        />
      </p>,
    )}
    {piece(
      'Field with its error',
      <Form
        id="form"
        wordingOf={() => 'Please fill in what is marked.'}
        problemsOf={() => ({ name: 'A fountain needs a name.', stars: 'Choose one to five stars.' })}
        work={() => Promise.reject(wrongFields('name'))}
        actions={
          <>
            <Button isSubmit text="Send" />
            <Button kind="quiet" text="Cancel" />
          </>
        }
      >
        <Field name="name" label="Name" hint="As it is written there." pattern={filled} required />
        <Field name="text" label="Text of several lines" rows={3} />
        <Select name="day" label="Select" options={options} />
        <Rating name="stars" label="Rating" stars={[1, 2, 3, 4, 5]} textOf={(n) => `${n} of 5 stars`} />
        <Toggles name="some" label="Some of several, large" options={options} />
        <Flag name="flag" label="A box to check" />
        <div class="field">
          <label for="file">File</label>
          <input id="file" type="file" />
        </div>
        <Choices legend="One of several" name="one" options={options} />
        <fieldset class="row checks">
          <legend class="visually-hidden">Some of several</legend>
          {['Wheelchair', 'Bottle', 'Dog'].map((name, index) => (
            <label key={name} class="chip">
              <input type="checkbox" defaultChecked={index === 0} />
              <Icon name="tap" />
              {name}
            </label>
          ))}
        </fieldset>
      </Form>,
    )}
    {piece(
      'Problem, notice, and what was done',
      <div class="stack-3">
        <Problem text="It could not be sent." href="#kit" label="Try again" />
        <p class="notice">A notice.</p>
        <p class="notice tag-warm">A notice about something doubtful.</p>
        <p class="said" role="status">
          Saved.
        </p>
      </div>,
    )}
    {piece(
      'Toast',
      <p class="actions">
        <Button id="tell" kind="quiet" text="Over the page" onPress={() => tell('It was saved.')} />
        <Button
          id="toast"
          kind="quiet"
          text="With a button"
          onPress={() =>
            new Toast(document.body, status).show('A link was copied.', 0, { label: 'Undo', pressed() {} })
          }
        />
      </p>,
    )}
    {piece(
      'Menu',
      <details class="menu" id="menu">
        <summary aria-label="Menu">
          <Icon name="menu" />
        </summary>
        <div class="menu-body popup">
          <ul>
            {['Map', 'Regions', 'Changes'].map((name, index) => (
              <li key={name}>
                <a href="#kit" aria-current={index === 1 ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </details>,
    )}
    {piece(
      'List',
      <div class="box">
        <List
          items={[
            { id: 1, title: 'Phone', details: ['Added today'], badge: 'This device', actions: [] },
            { id: 2, title: 'Laptop', details: ['Added yesterday'], actions: [['Remove', () => undefined]] },
          ]}
        />
      </div>,
    )}
    {piece(
      'In place of a page',
      <div class="stack-4">
        <Instead text="Sign in to see your account." label="Sign in" href="#kit" />
        <Failure text="The server cannot be reached." label="Try again" retry={() => undefined} />
      </div>,
    )}
    {piece(
      'Badge and tag',
      <p class="row">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone ?? 'plain'}
          </Badge>
        ))}
        {tones.map((tone) => (
          <span key={tone} class={tone === undefined ? 'tag' : `tag tag-${tone}`}>
            <Icon name="verified" />
            {tone ?? 'plain'}
          </span>
        ))}
      </p>,
    )}
    {piece(
      'Progress',
      <div class="stack-3">
        <progress aria-label="Sending" max={1} value={0.4} />
        <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect class="bar-all" width={100} height={10} />
          <rect class="bar-part" width={60} height={10} />
        </svg>
      </div>,
    )}
    {piece(
      'Table',
      <div class="table-wrap">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col" class="number">
                Fountains
              </th>
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">Old Harbour</th>
              <td class="number">12</td>
            </tr>
          </tbody>
        </table>
      </div>,
    )}
  </>,
  document.querySelector('#kit') ?? document.body,
)
