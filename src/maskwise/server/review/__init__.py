"""The review page: a person decides, the plan follows. Also annotation in the steps of TAB."""
