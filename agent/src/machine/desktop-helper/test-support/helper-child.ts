// A helper in place of osascript and PowerShell: says the lines of a file, and then what its mode wants.
import { readFileSync, writeSync } from 'node:fs'

const [, , file = '', mode = 'stay'] = process.argv
writeSync(1, readFileSync(file))
const line = '{"topic":"alive"}\n'
if (mode === 'flood') for (;;) writeSync(1, line.repeat(100))
if (mode === 'endless') for (;;) writeSync(1, 'x'.repeat(65_536))
// 'stay' says no more and waits for its end; 'die' ends at once.
if (mode === 'stay') setInterval(() => undefined, 60_000)
