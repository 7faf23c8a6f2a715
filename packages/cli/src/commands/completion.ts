import { command, loaded } from '../command.ts'
import { completionScript, shells } from '../completion.ts'
import { oneOf } from '../options.ts'

const completion = command('completion', {
  summary: 'Prints the script by which a shell completes commands, options and their choices.',
  more: 'SHELL is bash, zsh or fish. The script knows the commands of this version: write it again after an upgrade.',
  places: { shell: { about: 'For which shell', ...oneOf(shells) } },
  options: {},
  examples: {
    'completion bash > ~/.local/share/bash-completion/completions/openfountain':
      'Lets bash complete; new shells read it',
    'completion zsh > ~/.zfunc/_openfountain': 'The same for zsh, where ~/.zfunc is in fpath',
    'completion fish > ~/.config/fish/completions/openfountain.fish': 'The same for fish',
  },
  async run({ shell }, { out }) {
    // Imported here, since the list of commands includes this one.
    const { commands } = await import('./all.ts')
    const script = completionScript(shell, await loaded(commands))
    out.result({ shell, script }, () => [script])
  },
})

export const commands = [completion]
