import type { IntegrityEventKind } from '../../interviews/integrity-events/integrity-events.kinds.ts'

/** A published rule: what makes an instant of a session a moment worth opening. */
export interface MomentRule {
  /** Counts up when the rule finds other moments than before. */
  readonly version: number
  /** What a moment of it is called. */
  readonly title: string
  /** The whole rule, as it is applied. */
  readonly text: string
  /** What is said where it found nothing, if that takes more than these words. */
  readonly none?: string
  /** Why it happens to anybody. */
  readonly commonReasons: readonly string[]
  /** Integrity events that it reads. */
  readonly kinds: readonly IntegrityEventKind[]
}

/** Gaps shorter than this are no moment, seconds. */
export const momentGapSeconds = 15
/** What was recorded is told from so long before a moment to so long after it, seconds. */
export const momentAroundSeconds = 30
/** So many events of a kind are looked at, the earliest. */
export const momentEventsOfKind = 200

/**
 * Facts alone, by rules that anybody can read; the same facts give the same moments, in whatever order they came. The
 * order of the rules says nothing but where they stand in a list.
 */
export const momentRules = {
  lane_gap: {
    version: 2,
    title: 'Part of the recording is missing',
    text: `A lane that the candidate agreed to, or one of its displays, recorded nothing for ${momentGapSeconds} seconds or longer, whatever the reason. Gaps of two or more lanes for one reason at one time are one moment, which names its lanes. A declined lane is no gap.`,
    none: `No gap of ${momentGapSeconds} s or longer.`,
    commonReasons: [
      'The network was away for a while.',
      'The computer went to sleep, or was locked.',
      'A cable or a headset was plugged in again.',
      'A program or the operating system was restarted.',
    ],
    kinds: [],
  },
  display_connected: {
    version: 1,
    title: 'A display was connected',
    text: 'A display was connected after observing began. Displays that were there before are none.',
    commonReasons: [
      'A laptop was put into its dock.',
      'A display woke up from standby.',
      'The arrangement of displays was changed in the settings.',
    ],
    kinds: ['display.added'],
  },
  display_disconnected: {
    version: 1,
    title: 'A display was disconnected',
    text: 'A display was disconnected after observing began.',
    commonReasons: ['A laptop was taken out of its dock.', 'A display went into standby.', 'A cable came loose.'],
    kinds: ['display.removed'],
  },
  listed_program: {
    version: 2,
    title: 'A program of the published list was running',
    text: 'A program of the published list (docs/reference/programs.md) began to run after observing began. Programs that ran before are no moment: `atStart` of the report names them. The moment lasts until the program was seen to stop.',
    commonReasons: [
      'The interview itself takes place in a meeting program.',
      'Programs for remote help are installed by employers and schools, and start with the computer.',
      'Recording and virtual cameras are used for teaching and for calls.',
    ],
    kinds: ['process.matched', 'process.ended'],
  },
  virtual_device: {
    version: 2,
    title: 'A camera or sound device says that it is virtual',
    text: 'A camera or sound device was connected after observing began, and its name is on the published list of virtual devices. Devices that were there before are no moment: `atStart` of the report names them. The moment lasts until the device was seen to go.',
    commonReasons: [
      'Meeting programs and headsets install virtual sound devices.',
      'A virtual camera blurs the background or improves the light.',
      'Assistive programs route sound through a virtual device.',
    ],
    kinds: ['device.added', 'device.removed'],
  },
  virtual_machine: {
    version: 2,
    title: 'The system reports a virtual machine',
    text: 'The computer, or one of its parts, reports a virtual machine, and did not do so before observing began. What it reported before is no moment: it is in `atStart` of the report.',
    commonReasons: [
      'Employers and schools hand out virtual desktops.',
      'Security features of an operating system run it on a hypervisor.',
    ],
    kinds: ['vm.hint'],
  },
  clock_jump: {
    version: 1,
    title: "The computer's clock was changed",
    text: "The computer's clock jumped, forwards or backwards.",
    commonReasons: [
      'The clock was put right by the network.',
      'The computer woke up from sleep.',
      'Summer time began or ended, or the time zone was changed.',
    ],
    kinds: ['clock.jumped'],
  },
  hidden_window: {
    version: 2,
    title: 'A program kept a window out of recordings',
    text: 'A program began to keep one of its windows out of recordings after observing began. Windows that were kept out before are no moment: `atStart` of the report names them. The moment lasts until the window could be recorded again or was gone.',
    commonReasons: [
      'Password managers and banking programs protect their windows by default.',
      'Films that are protected against copying cannot be recorded.',
    ],
    kinds: ['window.exclusion_started', 'window.exclusion_ended'],
  },
  phone_moved: {
    version: 1,
    title: 'The phone was turned',
    text: 'The phone said that it stands another way than it said before.',
    commonReasons: ['The phone slipped or fell.', 'It was put on a charger.', 'A call came in.'],
    kinds: [],
  },
  speakers_recorded: {
    version: 1,
    title: 'A program recorded what the computer plays',
    text: "A program other than this recording and the linked meeting's own began to record what the speakers or headphones play, after observing began. Programs that did so before are no moment: `atStart` of the report names them. The moment lasts until the program was seen to stop.",
    commonReasons: [
      'A meeting program shares the sound of this computer with the others.',
      'A recorder of the screen takes the sound as well, as for a video of a lesson.',
      'A program shows captions of what is played, or improves the sound.',
    ],
    kinds: ['listener.started', 'listener.ended'],
  },
  remote_session: {
    version: 1,
    title: 'The desktop was shown on another computer',
    text: 'The system, or a program that serves this desktop to others, began to say that it is shown on another computer, after observing began. What it said before is no moment: it is in `atStart` of the report. The moment lasts until nothing says so any more.',
    commonReasons: [
      'The employer or school gives virtual desktops, and the candidate sits at another computer.',
      'Somebody helps with the computer, as agreed.',
      'A second computer of the candidate shows this one.',
    ],
    kinds: ['remote_session.started', 'remote_session.ended'],
  },
  synthetic_input: {
    version: 1,
    title: 'Programs sent keys',
    text: 'Programs sent at least one key in a minute. Minutes that follow each other without a pause are one moment. Which keys is not known.',
    commonReasons: [
      'An on-screen keyboard, voice control or a switch sends keys for a person.',
      'A text expander or a password manager types a stored text.',
      'Somebody helps from another computer, as agreed.',
    ],
    kinds: ['input.origin'],
  },
} as const satisfies Record<string, MomentRule>

export type MomentRuleName = keyof typeof momentRules
export const momentRuleNames = Object.keys(momentRules) as [MomentRuleName, ...MomentRuleName[]]

/** Every kind of integrity event that some rule reads. */
export const momentKinds: readonly IntegrityEventKind[] = Object.values<MomentRule>(momentRules).flatMap(
  ({ kinds }) => kinds,
)

/** What a budget of minutes chooses. */
export const momentChoiceText =
  'A moment is reckoned at one minute. While minutes are left, each rule in turn gives one: first its earliest, after that the one that lies farthest in time from all that were chosen before, the earlier of two.'
