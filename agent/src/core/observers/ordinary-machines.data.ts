import { ordinaryDesks } from './ordinary-machines.desks.data.ts'
import {
  builtInMicrophone,
  builtInMonitor,
  laptop,
  laptopSays,
  records,
  runs,
  saysListener,
  saysProgram,
  saysUnchanged,
  stillCamera,
} from './ordinary-machines.parts.ts'
import type { OrdinaryMachine, RecordedMachine, RecordedProcess } from './ordinary-machines.ts'

type Stream = RecordedMachine['sound']['streams'][number]

/** The laptop on which these run as well, and record these streams. */
const laptopWith = (processes: readonly RecordedProcess[], streams: readonly Stream[] = []): RecordedMachine => ({
  ...laptop,
  processes: [...laptop.processes, ...processes],
  sound: { ...laptop.sound, streams },
})
const typing = (machine: RecordedMachine, synthetic: number, hardwareSeconds: number): RecordedMachine => ({
  ...machine,
  input: { seconds: 60, synthetic, hardwareSeconds },
})

const zoom = runs('/opt/zoom/zoom', { opens: ['/dev/video0'] })
const zoomTalks = records(builtInMicrophone, zoom, 'ZOOM VoiceEngine')
const firefox = runs('/usr/lib/firefox/firefox', { opens: ['/dev/video0'] })
const notes = runs('/usr/bin/dsnote')
const piped = runs('/usr/bin/parec')
const captions = runs('/usr/bin/livecaptions')
const obs = runs('/usr/bin/obs')
const mixer = runs('/usr/bin/pavucontrol')
const onScreen = laptopWith([runs('/usr/bin/onboard')])

const alone: OrdinaryMachine = {
  name: 'A laptop alone',
  about: 'Nothing is plugged in, and a file manager runs.',
  machine: laptop,
  says: laptopSays,
}

const calls: readonly OrdinaryMachine[] = [
  {
    name: 'A meeting program, linked to the interview',
    about: 'The call of the interview, with microphone and camera.',
    machine: laptopWith([zoom], [zoomTalks]),
    callIn: 'Zoom',
    says: { ...laptopSays, processes: [saysProgram('zoom')] },
  },
  {
    name: 'A meeting program, not linked',
    about: 'The same call where nobody linked it: the program is named like any other.',
    machine: laptopWith([zoom], [zoomTalks]),
    says: {
      ...laptopSays,
      processes: [saysProgram('zoom')],
      listeners: [saysListener('ZOOM VoiceEngine', 'zoom', 'microphone'), saysListener('zoom', 'zoom', 'camera')],
    },
  },
  {
    name: 'A meeting in the browser, linked',
    about: 'A linked call may be held in any browser.',
    machine: laptopWith([firefox], [records(builtInMicrophone, firefox, 'Firefox')]),
    callIn: 'Google Meet',
    says: laptopSays,
  },
  {
    name: 'The screen shared in the linked meeting, with its sound',
    about: 'What the speakers play goes to the others of the call.',
    machine: laptopWith([zoom], [zoomTalks, records(builtInMonitor, zoom, 'ZOOM VoiceEngine')]),
    callIn: 'Zoom',
    says: { ...laptopSays, processes: [saysProgram('zoom')] },
  },
]

const helped: readonly OrdinaryMachine[] = [
  {
    name: 'Dictation',
    about: 'A program that writes what is spoken (Speech Note). Observers leave it out by its name.',
    machine: laptopWith([notes], [records(builtInMicrophone, notes, 'Speech Note')]),
    says: laptopSays,
  },
  {
    name: 'Dictation that records through another program',
    about:
      'A script that is given the sound by `parec`. What is named is that program; that it helps a person to write cannot be seen.',
    machine: laptopWith([piped], [records(builtInMicrophone, piped, 'parec')]),
    says: { ...laptopSays, listeners: [saysListener('parec', 'parec', 'microphone')] },
  },
  {
    name: 'The same, agreed',
    about: 'The candidate declared dictation and it was agreed: who records is not looked at, nor who sends keys.',
    machine: typing(laptopWith([piped], [records(builtInMicrophone, piped, 'parec')]), 300, 0),
    agreed: 'dictation',
    says: laptopSays,
  },
  {
    name: 'Captions of what is played',
    about: 'A program that writes what the speakers play (Live Captions). Observers leave it out by its name.',
    machine: laptopWith([captions], [records(builtInMonitor, captions, 'Live Captions')]),
    says: laptopSays,
  },
  {
    name: 'A screen reader',
    about: 'It speaks what the screen shows (Orca).',
    machine: laptopWith([runs('/usr/bin/python3.12', { comm: 'orca' }), runs('/usr/bin/speech-dispatcher')]),
    says: laptopSays,
  },
  {
    name: 'A magnifier',
    about: 'It makes a part of the screen larger (KMag).',
    machine: laptopWith([runs('/usr/bin/kmag')]),
    says: laptopSays,
  },
  {
    name: 'An on-screen keyboard, agreed',
    about: 'The candidate declared it and it was agreed: keys that programs send are not counted at all.',
    machine: typing(onScreen, 40, 0),
    agreed: 'on_screen_keyboard',
    says: laptopSays,
  },
  {
    name: 'An on-screen keyboard, not declared',
    about: 'No observer names it. The keys that it sends are keys that a program sends, whichever that is.',
    machine: typing(onScreen, 40, 0),
    says: {
      ...laptopSays,
      input_origin: [{ kind: 'input.origin', value: { seconds: 60, synthetic: 40, hardwareSeconds: 0 } }],
    },
  },
]

const programs: readonly OrdinaryMachine[] = [
  {
    name: 'A password manager that types',
    about: 'KeePassXC types a name and a password into a form.',
    machine: typing(laptopWith([runs('/usr/bin/keepassxc')]), 24, 6),
    says: {
      ...laptopSays,
      input_origin: [{ kind: 'input.origin', value: { seconds: 60, synthetic: 24, hardwareSeconds: 6 } }],
    },
  },
  {
    name: 'A text expander',
    about: 'Espanso types a longer text in the place of a short one.',
    machine: typing(laptopWith([runs('/usr/bin/espanso')]), 120, 30),
    says: {
      ...laptopSays,
      input_origin: [{ kind: 'input.origin', value: { seconds: 60, synthetic: 120, hardwareSeconds: 30 } }],
    },
  },
  {
    name: 'Music in the background',
    about: 'A player that plays and records nothing.',
    machine: laptopWith([runs('/usr/bin/rhythmbox')]),
    says: laptopSays,
  },
  {
    name: 'The sound settings, open',
    about: 'They show how loud microphone and speakers are, and are given no sound.',
    machine: laptopWith(
      [mixer],
      [
        records(builtInMicrophone, mixer, 'PulseAudio Volume Control', { peaksOnly: true }),
        records(builtInMonitor, mixer, 'PulseAudio Volume Control', { peaksOnly: true }),
      ],
    ),
    says: laptopSays,
  },
  {
    name: 'A recorder of the screen',
    about: 'OBS Studio, left open after a lesson, has microphone and speakers.',
    machine: laptopWith([obs], [records(builtInMicrophone, obs, 'OBS'), records(builtInMonitor, obs, 'OBS')]),
    says: {
      ...laptopSays,
      processes: [saysProgram('obs')],
      listeners: [saysListener('OBS', 'obs', 'microphone'), saysListener('OBS', 'obs', 'speakers')],
    },
  },
]

const cameras: readonly OrdinaryMachine[] = [
  {
    name: 'A covered camera',
    about: 'Its shutter is closed, and it gives plain black.',
    machine: { ...laptop, camera: stillCamera(false) },
    says: { ...laptopSays, picture_unchanged: [saysUnchanged(true)] },
  },
  {
    name: 'A camera whose driver hangs',
    about: 'It gives its last picture again and again.',
    machine: { ...laptop, camera: stillCamera(true) },
    says: { ...laptopSays, picture_unchanged: [saysUnchanged(false)] },
  },
]

/** Plain set-ups with the answers of a computer, and exactly what observers say of each. */
export const ordinaryMachines: readonly OrdinaryMachine[] = [
  alone,
  ...calls,
  ...helped,
  ...programs,
  ...cameras,
  ...ordinaryDesks,
]
