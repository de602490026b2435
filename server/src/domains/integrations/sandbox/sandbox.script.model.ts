export type Speaker = 'interviewer' | 'candidate'

/** What is said, in turns, the interviewer first. It is invented, like everything that is simulated. */
const opening = [
  'Good morning, and welcome. This is a simulated interview, so everything you hear and read here was made up.',
  'Good morning. Thank you for having me, the sound and the picture are fine on my side.',
  'Let us begin with you. What did you work on last?',
  'I was on the team that imports files for an online shop. Some of those files were larger than the memory of the machine.',
  'What made that difficult?',
  'An import had to go on after a restart. So we wrote down after each block how far we had come, and began there again.',
  'How did you find out where it was slow?',
  'I measured first. Most of the time went into one query that ran again for each line, so I read in blocks of a thousand.',
  'And what did that change?',
  'A night of work became about twelve minutes. After that nobody asked for a faster machine any more.',
  'I have put a small task into the editor. Please read it aloud and say what you understand.',
  'I get a list of bookings, each with a beginning and an end, and I am to find the time when most of them overlap.',
  'Right. How would you begin?',
  'I would sort all beginnings and ends by time and count: one up for a beginning, one down for an end.',
  'What happens when one booking ends at the moment another begins?',
  'Then they do not overlap, I think. So an end must be counted before a beginning at the same time.',
  'Good that you ask yourself that. Please write it down.',
  'I start with the test for exactly that case, because I would forget it otherwise.',
  'Take your time. You may look into the documentation of the language if you like.',
  'Thank you. I want to look up how the sort treats equal values.',
  'What did you find?',
  'It keeps their order, so I need not rely on luck. I still compare both fields, then it is plain to read.',
  'How long does your solution take for a million bookings?',
  'The sorting decides: n times the logarithm of n. Counting afterwards is one walk along the list.',
  'Could it be done with less memory?',
  'If the bookings came in order, I could keep only the ends that are still open, in a heap.',
  'Let us run it.',
  'Two tests pass and one does not. I forgot the empty list, there the answer should be nothing.',
  'Easily mended?',
  'Yes, one line at the top. Now all three are green.',
  'Tell me about a decision that you would take in another way today.',
  'We wrote our own queue. It worked, but each of us had to explain it to somebody, and a known one would have done.',
  'What did the others say at the time?',
  'One colleague warned us. I did not listen well enough then, and I told her so later.',
  'How do you go about reading code that is new to you?',
  'I look for the tests first, then for the place where data comes in, and follow one piece of it to the end.',
  'And if there are no tests?',
  'Then I write one for what it does today, even if that is wrong, so that I notice when I change it.',
  'How do you like to work with others?',
  'In small steps that somebody reads on the same day. Large changes tire everybody, me included.',
  'Is there something you would like to learn here?',
  'How to run a service for many customers. So far I have had one customer, and could call him when it was down.',
] as const

const closing = [
  'Thank you, those were my questions. Do you have any for us?',
  'One: how do you decide what is worth doing next?',
  'Every second week, together, and with a number for each of us. You would be asked in your first week.',
  'That I like. Thank you, that was the whole simulation from me.',
] as const

export const sentences: readonly string[] = [...opening, ...closing]
export const speakerOf = (sentence: number): Speaker => (sentence % 2 === 0 ? 'interviewer' : 'candidate')

/** Seconds it takes to say a sentence: about 150 words in a minute. */
export const spokenSeconds = (sentence: number): number =>
  Math.ceil((sentences[sentence] ?? '').split(' ').length * 0.4 + 0.6)

export interface Turn {
  readonly sentence: number
  /** Interview seconds. */
  readonly from: number
  readonly until: number
}

/** Seconds between two turns at the least: a breath, and no more than one chunk of silence too few. */
const slotSeconds = 27

/**
 * The script from one instant to another, in interview seconds: its beginning, as much as there is time for, and always
 * its goodbye. What time is over goes into pauses before the answers, where somebody thinks or writes.
 */
export const turnsBetween = (from: number, to: number): Turn[] => {
  const room = Math.max(closing.length, Math.floor((to - from) / slotSeconds))
  const begun = Math.min(opening.length, room - closing.length)
  const chosen = sentences.map((_, sentence) => sentence).filter((n) => n < begun - (begun % 2) || n >= opening.length)
  const spoken = chosen.map(spokenSeconds)
  const spare = to - from - spoken.reduce((sum, seconds) => sum + seconds, 0)
  // An answer is waited for longer than a question.
  const weights = chosen.map((sentence, n) => (n === 0 ? 0 : speakerOf(sentence) === 'candidate' ? 3 + (n % 3) : 1))
  const weight = weights.reduce((sum, one) => sum + one, 0)
  const turns: Turn[] = []
  let waited = 0
  let said = 0
  for (const [n, sentence] of chosen.entries()) {
    waited += weights[n] ?? 0
    const begins = from + said + Math.floor((spare * waited) / weight)
    said += spoken[n] ?? 0
    turns.push({ sentence, from: begins, until: begins + (spoken[n] ?? 0) })
  }
  return turns
}
