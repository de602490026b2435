import { describe, expect, it } from 'vitest'
import { parseSettings } from './settings-file.ts'

const only = (line: string) => parseSettings(line).settings

describe('a settings file is read as systemd reads an EnvironmentFile', () => {
  it.each([
    [
      'A=postgres://…/main?application_name=integrity&connect_timeout=10',
      'postgres://…/main?application_name=integrity&connect_timeout=10',
    ],
    ['A=postgres://u:se$cret@host/main', 'postgres://u:se$cret@host/main'],
    ['A=Interview Integrity <service@example.org>', 'Interview Integrity <service@example.org>'],
    ['A=`id` $(id) $HOME * ~ | > f ; #', '`id` $(id) $HOME * ~ | > f ; #'],
    ['  A = one  two  ', 'one  two'],
    ['A="one  "', 'one  '],
    ['A="a \\" b \\\\ \\$ \\n"', 'a " b \\ $ \\n'],
    ["A='a \\ \" b'", 'a \\ " b'],
    ['A=it\'s "so"', 'it\'s "so"'],
    ['A="one" two', 'onetwo'],
    ['A=a\\ b\\\\c\\ ', 'a b\\c '],
    ['A=one\\\ntwo', 'onetwo'],
    ['A="one\ntwo"', 'one\ntwo'],
    ['A=one\r', 'one'],
    ['A=', ''],
    ['A=#1', '#1'],
    ['A==b=', '=b='],
  ])('%j', (line, value) => {
    expect(only(line)).toEqual({ A: value })
    expect(only(`B=before\n${line}\nC=after`)).toEqual({ B: 'before', A: value, C: 'after' })
  })

  it('passes over comments and empty lines, and takes the later of two', () => {
    expect(only('# A=1\n\n  ; B=2\nC=3\n#\nC=4\n')).toEqual({ C: '4' })
  })

  it('names what it passes over as systemd does', () => {
    const { settings, ignored } = parseSettings('export A=1\nno assignment\n1B=2\nC=3')
    expect(settings).toEqual({ C: '3' })
    expect(ignored).toEqual(['export A', 'no assignment', '1B'])
  })
})
