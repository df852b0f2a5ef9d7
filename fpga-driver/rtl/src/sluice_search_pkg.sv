// What the search for queues that hold packets and the scheduler say to each other.
package sluice_search_pkg;
  // Where the search was when it found a group. Wide enough for every build; bits that a build
  // does not need are constant.
  typedef struct packed {
    logic [2:0] port;
    logic [5:0] first_tree;  // the tree at which this visit of the port began
    logic [5:0] tree_step;   // trees visited since
    logic [5:0] first_group; // the customer at which this visit of the tree began
    logic [13:0] step;       // windows visited since
  } place_t;

  // How the search goes on: with the same group, behind it, behind its tree, behind its port.
  typedef enum logic [1:0] {
    AGAIN,
    NEXT_GROUP,
    NEXT_TREE,
    NEXT_PORT
  } go_on_t;
endpackage
