/** What the published rules call their moments, and why each happens to anybody: one reason a line. The rules say the same. */
export const texts = {
  'ruleTitle.lane_gap': 'Part of the recording is missing',
  'ruleReasons.lane_gap':
    'The network was away for a while.\nThe computer went to sleep, or was locked.\nA cable or a headset was plugged in again.\nA program or the operating system was restarted.',
  'ruleTitle.display_connected': 'A display was connected',
  'ruleReasons.display_connected':
    'A laptop was put into its dock.\nA display woke up from standby.\nThe arrangement of displays was changed in the settings.',
  'ruleTitle.display_disconnected': 'A display was disconnected',
  'ruleReasons.display_disconnected':
    'A laptop was taken out of its dock.\nA display went into standby.\nA cable came loose.',
  'ruleTitle.listed_program': 'A program of the published list was running',
  'ruleReasons.listed_program':
    'The interview itself takes place in a meeting program.\nPrograms for remote help are installed by employers and schools, and start with the computer.\nRecording and virtual cameras are used for teaching and for calls.',
  'ruleTitle.virtual_device': 'A camera or sound device says that it is virtual',
  'ruleReasons.virtual_device':
    'Meeting programs and headsets install virtual sound devices.\nA virtual camera blurs the background or improves the light.\nAssistive programs route sound through a virtual device.',
  'ruleTitle.virtual_machine': 'The system reports a virtual machine',
  'ruleReasons.virtual_machine':
    'Employers and schools hand out virtual desktops.\nSecurity features of an operating system run it on a hypervisor.',
  'ruleTitle.clock_jump': "The computer's clock was changed",
  'ruleReasons.clock_jump':
    'The clock was put right by the network.\nThe computer woke up from sleep.\nSummer time began or ended, or the time zone was changed.',
  'ruleTitle.hidden_window': 'A program kept a window out of recordings',
  'ruleReasons.hidden_window':
    'Password managers and banking programs protect their windows by default.\nFilms that are protected against copying cannot be recorded.',
  'ruleTitle.phone_moved': 'The phone was turned',
  'ruleReasons.phone_moved': 'The phone slipped or fell.\nIt was put on a charger.\nA call came in.',
  'ruleTitle.speakers_recorded': 'A program recorded what the computer plays',
  'ruleReasons.speakers_recorded':
    'A meeting program shares the sound of this computer with the others.\nA recorder of the screen takes the sound as well, as for a video of a lesson.\nA program shows captions of what is played, or improves the sound.',
  'ruleTitle.remote_session': 'The desktop was shown on another computer',
  'ruleReasons.remote_session':
    'The employer or school gives virtual desktops, and the candidate sits at another computer.\nSomebody helps with the computer, as agreed.\nA second computer of the candidate shows this one.',
  'ruleTitle.synthetic_input': 'Programs sent keys',
  'ruleReasons.synthetic_input':
    'An on-screen keyboard, voice control or a switch sends keys for a person.\nA text expander or a password manager types a stored text.\nSomebody helps from another computer, as agreed.',
} as const
