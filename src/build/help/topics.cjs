/**
 * What the help says beyond the functions, written for planners: the one source of the topic pages and of the
 * pane's help. A part is a paragraph, or pairs of a term and what it means; `code` stands in backticks. The keys
 * come from the files that Excel reads, so that they are told as they are.
 */
"use strict";

/**
 * @param {{ shortcuts: { action: string, key: { default: string } }[] }} keys assets/shortcuts.json
 * @param {Record<string, { value: string }>} names of the actions, from assets/shortcuts-resources.json
 */
function helpTopics({ shortcuts }, names) {
  return [...topics, keysTopic(shortcuts.map(({ action, key }) => [key.default, names[action].value]))];
}

const topics = [
  {
    id: "errors",
    title: "What a cell shows without a value",
    words: "error #N/A #VALUE! #BUSY! #NAME? #CALC! #SPILL! blank hang stuck loading IFNA IFERROR zero",
    parts: [
      {
        pairs: [
          [
            "`#N/A`",
            "The service answered: there is no such value. The item is not mapped to you, there is no data for it at that store, or no record for that area and state.",
          ],
          [
            "`#VALUE!`",
            "There is no answer, and INV has no last number: an argument is wrong, INV is not connected, the quota is used up, or the service is down. The reason stands at the cell and in the pane, under Inspect, Problems.",
          ],
          [
            "`#BUSY!`",
            "Waiting for the answer. Every call of INV ends, with a value or a reason. Should Excel lose a result (the computer slept), refresh the selection.",
          ],
          [
            "`#NAME?`",
            "Excel does not know INV's functions yet. Open the INV pane once. If there is none, INV is not installed for you. In a file that another program wrote it stays until the formula is entered again: the pane does that for all of them, under Inspect, Problems.",
          ],
          [
            "`#CALC!`",
            "A range was given where one store and one item are expected, as in `INV.EVENTS`, or whole columns as in `A:A`. Name the rows: `A2:A5000`.",
          ],
          [
            "`#SPILL!`",
            "The result is a table and something stands in its way. Clear the cells below and beside.",
          ],
          ["blank", "Store or item is blank. Nothing was asked."],
          ["0", "The service said 0. For a sum of events: there is a history, without such events."],
        ],
      },
      "Use `IFNA` around INV functions, never `IFERROR`: then an outage can not turn into zeros.",
    ],
  },
  {
    id: "freshness",
    title: "How old values are",
    words: "freshness age as of old time minutes cache refresh automatic recalculate F9",
    parts: [
      "A value younger than the freshness time, 15 minutes unless you change it in Settings, is shown again without a call. An older one is asked for when its cell is calculated. Opening a workbook asks for nothing by itself.",
      "The line at the top of the pane says of when the oldest stock in the workbook is. Past the freshness time it turns amber; press it to see which cells these are, and to go to them.",
      "A refresh asks anew, for the selected cells, the sheet, the workbook, or only for what is older. It first makes sure that the service answers: when it does not, every cell keeps its number.",
      "Automatic refresh, on the Refresh tab, is switched on workbook by workbook, and says when it comes next and what it costs an hour. `INV.ASOF` puts the time of a value into a cell, and `INV.UPDATED` when the service last changed its record.",
    ],
  },
  {
    id: "what-changed",
    title: "What changed",
    words: "changed difference compare before after moved since yesterday zero came back list refresh report",
    parts: [
      "After a refresh the Refresh tab says what it changed, such as 37 values changed, 5 went to zero, 3 came back, and lists it by store and item, the largest difference first. Values that were not answered are not counted. A workbook of yesterday is compared with what it showed when you opened it: its first refresh says what has moved since.",
      "List narrows it to what went to zero, came back, or moved by more than a number or a share. A cell's address selects it. Copy takes the list to the clipboard, To a new sheet writes it as values.",
      "Cells that show `#BUSY!`, `#NAME?` or nothing have no value to compare. What was edited meanwhile is listed apart. Texts and times have changed or not; times of `INV.ASOF`, which change with every refresh, are left out. Cancel keeps the list of the refresh before, until Resume has brought the rest.",
      "Of more than 200,000 cells only the sheet in view is compared.",
    ],
  },
  {
    id: "stale",
    title: "Last known values",
    words: "stale last known outage failed refresh old number keeps offline down",
    parts: [
      "In an outage a cell keeps its last number if INV has one, and is marked as stale; `#VALUE!` appears only where INV has none.",
      "The Status column of the templates says since when, in UTC, and colours the row. In your own sheet, Build, Templates, Mark stale values adds both. These cells are calculated again after each refresh and send nothing.",
      "When a new answer does not come (an outage, the quota, Cancel), a cell shows its last known value. The Refresh tab counts such cells as stale; Inspect, Problems lists them with their age and the reason.",
      "Ask again with Refresh, or with Ask for the unanswered, which leaves all others alone. In Settings you can choose that such cells show the error instead.",
    ],
  },
  {
    id: "quota",
    title: "The quota",
    words: "quota 600 calls minute limit 429 slow cost price company colleagues share spend",
    parts: [
      "The service allows a whole company 600 calls a minute. One call brings up to 100 items of one store, and one page of one item's events. INV sorts what your cells want into as few calls as possible, waits where the quota is used up, and loses no cell.",
      "The Refresh tab shows the price before you press the button: cells, calls, time. Quantities are cheap. Events cost at least one call for each store and item.",
      "The meter counts the calls of the last minute. With a server of your team it counts the company's.",
    ],
  },
  {
    id: "guard",
    title: "Large fill-downs: fetch all, or stop",
    words: "guard question fill down ask above calls fetch all stop spending limit held",
    parts: [
      "Formulas that want more than 100 calls at once are held, the sheet in view first served. The pane asks with the price: Fetch all, or Stop.",
      "Without an answer INV goes on after 30 seconds, slowly, and leaves half of the quota to your colleagues. Nothing is ever stuck. After Stop, Ask for the unanswered takes it up again.",
      "The limit is a setting; 0 never asks. A refresh was priced before you pressed the button and is not asked about. The demo is free.",
    ],
  },
  {
    id: "offline",
    title: "Offline",
    words: "offline switch no calls network train plane stop pause keep values",
    parts: [
      "The switch on the Refresh tab stops all calls. Every cell keeps its value, new formulas say that INV is offline, and both headers say so too, until you go online again. The switch is kept on this device.",
    ],
  },
  {
    id: "sharing",
    title: "Mailing and sharing a workbook",
    words: "share mail send colleague freeze thaw copy values file secret credentials template team",
    parts: [
      {
        pairs: [
          [
            "Freeze",
            "Formulas become values that never change. The workbook remembers the formulas for Thaw.",
          ],
          [
            "Prepare to mail",
            "For people with INV: the whole workbook is frozen, with its values or with empty cells, and INV thaws it there.",
          ],
          [
            "Copy values to a new sheet",
            "For people without INV: a new sheet with the values alone, their age and their environment above them.",
          ],
        ],
      },
      "They are in the pane under Build, Freeze and mail. A workbook holds the name of its environment and nothing secret. A colleague's INV asks before it uses their credentials for a workbook it has not seen.",
    ],
  },
  {
    id: "connecting",
    title: "Connecting, and whose credentials",
    words:
      "connect credentials consumer id client secret token sandbox production demo forget remember refused",
    parts: [
      "Settings chooses where numbers come from: the demo (made up, nothing to type), a sandbox, or production. A server of your team may hold the credentials for you.",
      "What you type stays in memory, or, if you ask for it, encrypted on this device; never in the workbook. Forget takes it away. When the service refuses it, INV stops asking until you type it anew.",
    ],
  },
  {
    id: "numbers",
    title: "Stores, GTINs and item numbers",
    words: "store number gtin item number leading zeros digits text wm_item_number check column dirty list",
    parts: [
      {
        pairs: [
          ["Store number", "2 to 6 digits."],
          [
            "GTIN",
            "14 digits. Zeros that Excel dropped from the front are put back: 8 or 10 to 13 digits are understood, as text or as a number.",
          ],
          [
            "Item number",
            'Usually 9 digits. Say so as the last argument: `INV.QTY(1234,"123456789",,,"wm_item_number")`.',
          ],
        ],
      },
      "Check items, on the Inspect tab, goes through a column and says which entries can not be right, before they cost a call.",
    ],
  },
  {
    id: "lists",
    title: "Saved lists of stores and items",
    words: "list save saved name named range stores items selection grid spill defined manager grow",
    parts: [
      "Build, Lists: the selected stores or items get a name, and stand as a column on the sheet `INV lists`. Colleagues get them with the file.",
      {
        pairs: [
          [
            "`=INV.QTY(Stores_North, TRANSPOSE(Items_Top))`",
            "A grid: a row for each store, a column for each item.",
          ],
          ["`=INV.QTY(1234, Items_Top)`", "A column: the items at one store."],
        ],
      },
      "Type below the last row of a list to add to it: formulas over its name follow. Rename or delete it as any other name: in Excel with Formulas, Name Manager. A name such as `TOP25` is the address of a cell, so INV proposes another.",
    ],
  },
];

function keysTopic(keys) {
  return {
    id: "keys",
    title: "Keys",
    words: "keyboard shortcut key F1 F6 control alt shift",
    parts: [
      {
        pairs: [
          ...keys.map(([key, name]) => [`\`${key}\``, `${name}.`]),
          [
            "`F1`",
            "Help for the function in the selected cell: in the INV pane, and in the browser workbook everywhere.",
          ],
          ["`F6`", "From the sheet to the pane and back."],
        ],
      },
    ],
  };
}

module.exports = { helpTopics };
